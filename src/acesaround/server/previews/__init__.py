"""What a link shows of itself before it is opened: a title, a sentence or two, and a picture.

`about` finds the words, `heads` writes them into the page, `drawing` makes the picture and
`gallery` keeps pictures that were made. Nothing is told but what the link shows whoever opens it.
"""
