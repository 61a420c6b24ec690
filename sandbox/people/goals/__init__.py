"""Goals over days: claims that people want, and the steps by which they mean to come by them."""
