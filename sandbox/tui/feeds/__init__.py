"""The feed on the screen: whose phone it is, what a card says, its tabs, why it is shown, how it went round."""
