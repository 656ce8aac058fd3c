"""Link previews: the title, description and picture that messengers show for a link.

`content` makes the words, `meta_tags` writes them into the page, `image` draws the picture, and
`image_cache` keeps pictures. A preview shows only what everyone sees who opens the link.
"""
