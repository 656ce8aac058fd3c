"""The words of pairing codes: 256 short words that are easy to tell apart when read aloud.

No two words begin with the same four letters, and no word is the plural of another.
"""

from __future__ import annotations

from typing import Final

_WORD_LIST: Final = """
acorn actor alarm album alley amber angel ankle apple april apron arch arrow artist atlas attic
autumn bacon badge bagel bakery balcony bamboo banana banjo barrel basket beach beaver bench
bicycle birch biscuit blanket blossom bottle bracelet branch brick bridge bronze broom bubble
bucket button cabin cable cactus camel canal candle canoe canyon carpet carrot castle cellar
cement cherry chimney cinema circle clock clover coconut coffee comet compass copper coral
cotton cousin cradle crane crayon cricket crown crystal cushion dancer desert diamond dinner
doctor dolphin donkey dragon drawer drum eagle earth echo eggplant elbow elephant engine
envelope evening fabric falcon farmer feather fence fiddle finger flag flame flute folder forest
fountain fox friday frog garage garden garlic ginger giraffe glacier glove goblin guitar hammer
harvest helmet hockey honey hotel hunter iceberg igloo insect iron island ivory jacket jaguar
january jewel jungle kangaroo kettle kitchen kitten ladder lagoon lantern lemon leopard library
lion lizard lobster magnet mango maple marble market meadow medal melon mirror monkey morning
mosaic mountain museum mustard napkin needle nephew noodle north nutmeg oasis ocean octopus
olive onion opera orange orchard otter oven oyster paddle palace pancake panther paper parrot
peanut pebble pelican pencil pepper piano pillow pirate planet pocket pony potato prince pumpkin
puzzle pyramid quarter quilt rabbit radio raven ribbon river robin rocket saddle sailor salmon
sandal scarf school shadow shovel silver sister spider spoon squirrel summer sunday tailor
teapot temple tennis thunder tiger tomato tractor trumpet tunnel turtle valley velvet violin
volcano waffle walnut whistle window winter wizard yellow zebra zipper
"""
WORDS: Final = tuple(_WORD_LIST.split())
