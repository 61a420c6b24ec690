"""The laboratory: experiments (arms x seeds) described in a file, lived as saves, measured from them, and reported."""
