// The signs by which persons and bots are drawn, ours: shapes on a disc, loaded when one is shown.
/** A shape and its colour: of paper, of gold, or of the disc, where it is a hole. */
type Shape = readonly [path: string, tone: "paper" | "gold" | "disc"];
export interface Drawing {
  disc: string;
  shapes: readonly Shape[];
}

const round = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const PINE = "#1d6b4f";
const NAVY = "#2c4a7c";
const WINE = "#86324f";
const EARTH = "#7a4a1d";
const PLUM = "#5a3f8a";
const SEA = "#1b6a75";

export const AVATARS = {
  bell: {
    disc: WINE,
    shapes: [
      [round(16, 24.5, 2.6), "gold"],
      [
        "M16 5a2 2 0 0 1 2 2c4 1 5 4.500 5 8 0 4 1 5.500 3 8H6c2-2.500 3-4 3-8 0-3.500 1-7 5-8a2 2 0 0 1 2-2z",
        "paper",
      ],
    ],
  },
  boat: {
    disc: NAVY,
    shapes: [
      ["M5 20h22l-4 6H9z", "paper"],
      ["M15 5v13H7z", "paper"],
      ["M17 8l8 10h-8z", "gold"],
    ],
  },
  cat: {
    disc: EARTH,
    shapes: [
      ["M7 7l6 4.500h6L25 7v12a9 7.500 0 0 1-18 0z", "paper"],
      [round(12.5, 17.5, 1.6) + round(19.5, 17.5, 1.6), "disc"],
      ["M14.300 20.500h3.400L16 22.500z", "gold"],
    ],
  },
  cup: {
    disc: SEA,
    shapes: [
      ["M8 12h14v6a7 7 0 0 1-14 0zM6 26h18v1.800H6z", "paper"],
      ["M22.500 13H24a3.200 3.200 0 0 1 0 6.400h-2.500v-1.900H24a1.300 1.300 0 0 0 0-2.600h-1.500z", "paper"],
      [
        "M12 4.500c2 2-2 3.500 0 5.500h-1.400c-2-2 2-3.500 0-5.500zM18 4.500c2 2-2 3.500 0 5.500h-1.400c-2-2 2-3.500 0-5.500z",
        "gold",
      ],
    ],
  },
  fish: {
    disc: NAVY,
    shapes: [
      ["M4.500 16c4-7 12-8 17-2.500L27 9v14l-5.500-4.500c-5 5.500-13 4.500-17-2.500z", "paper"],
      [round(11, 14.8, 1.4), "disc"],
      ["M15 12c2 2.500 2 5.500 0 8 3-1 4-2.500 4-4s-1-3-4-4z", "gold"],
    ],
  },
  flower: {
    disc: PLUM,
    shapes: [
      ["M15.200 18h1.600v10h-1.600z", "paper"],
      ["M16.800 26.500c.7-3.800 3.400-5 6.700-5-.7 3.800-3.400 5-6.700 5z", "paper"],
      [
        round(16, 7.5, 3.7) +
          round(20.6, 10.8, 3.7) +
          round(18.9, 16, 3.7) +
          round(13.1, 16, 3.7) +
          round(11.4, 10.8, 3.7),
        "paper",
      ],
      [round(16, 12.3, 3), "gold"],
    ],
  },
  house: {
    disc: PINE,
    shapes: [
      ["M21 7h3.200v6H21z", "gold"],
      ["M4.500 16.500L16 6.500l11.500 10H24V26H8v-9.500z", "paper"],
      ["M13.800 19.500h4.400V26h-4.400z", "disc"],
    ],
  },
  key: {
    disc: EARTH,
    shapes: [
      ["M15 14.500h13v3h-2V21h-3v-3.500h-2v2.500h-3v-2.500h-3z", "gold"],
      [round(10.5, 16, 6), "gold"],
      [round(10.5, 16, 2.6), "disc"],
    ],
  },
  kite: {
    disc: SEA,
    shapes: [
      ["M18 4l7 9-9 10-7-10z", "paper"],
      ["M18 4l-2 19h-1.200l2-19z M9 12.400l16 .600v1.200l-16-.600z", "disc"],
      ["M16 23c3.500 1-2.500 3 .5 5.500l-1.300.800c-4-2.800 1.500-4.300-.700-6.300z", "gold"],
    ],
  },
  lighthouse: {
    disc: WINE,
    shapes: [
      ["M20.500 8.500L28 5v8zM11.500 8.500L4 5v8z", "gold"],
      ["M12.500 8L16 4l3.500 4zM13.500 8h5v4h-5zM13 13h6l1.800 14h-9.600z", "paper"],
      ["M12.500 17h7l.5 3.500h-8z", "disc"],
    ],
  },
  moon: {
    disc: PLUM,
    shapes: [
      ["M19 5.500a11 11 0 1 0 8 15.500A9.500 9.500 0 0 1 19 5.500z", "paper"],
      [
        "M24 8l1 2.300 2.500.2-1.900 1.700.6 2.400-2.200-1.300-2.200 1.300.6-2.400-1.900-1.700 2.500-.2z",
        "gold",
      ],
    ],
  },
  mushroom: {
    disc: PINE,
    shapes: [
      ["M13 17h6l1.200 9h-8.400z", "paper"],
      ["M5 16.500a11 10.500 0 0 1 22 0z", "gold"],
      [round(12, 12, 1.9) + round(19, 10.5, 2.2) + round(22.3, 14.2, 1.2), "disc"],
    ],
  },
  owl: {
    disc: EARTH,
    shapes: [
      ["M8 6.500l3.500 3h9l3.500-3V19a8 8 0 0 1-16 0z", "paper"],
      [round(12.5, 14.5, 3.1) + round(19.5, 14.5, 3.1), "disc"],
      [round(12.5, 14.5, 1.3) + round(19.5, 14.5, 1.3) + "M14.600 17.500h2.800L16 20.300z", "gold"],
    ],
  },
  sun: {
    disc: NAVY,
    shapes: [
      [round(16, 16, 5.6), "gold"],
      [
        "M15 4h2v4.500h-2zM15 23.500h2V28h-2zM4 15h4.500v2H4zM23.500 15H28v2h-4.500zM6.800 8.200l1.400-1.400 3.200 3.200-1.400 1.400zM20.600 22l1.400-1.400 3.200 3.200-1.400 1.400zM8.200 25.200l-1.400-1.400 3.200-3.200 1.400 1.400zM22 11.400L20.600 10l3.200-3.200 1.400 1.400z",
        "paper",
      ],
    ],
  },
  teapot: {
    disc: PINE,
    shapes: [
      [
        "M8.500 14.500h14a7.500 7.500 0 0 1-3.500 10h-7a7.500 7.500 0 0 1-3.500-10zM10.500 13a5 4.500 0 0 1 10 0z",
        "paper",
      ],
      [round(15.5, 7.4, 1.6), "gold"],
      ["M21.500 21.500c4.500-.5 3-6 6-7.500l-1.500-2c-4 1.500-2.500 6-6 6.500z", "paper"],
      [
        "M9.500 16H7.800a3.300 3.300 0 0 0 0 6.600h2.700v-1.900H7.900a1.400 1.400 0 0 1 0-2.800h1.600z",
        "paper",
      ],
    ],
  },
  tree: {
    disc: SEA,
    shapes: [
      ["M14.500 24h3v4h-3z", "gold"],
      ["M16 4l6 8h-3l5 6.500h-4l4.500 6h-17l4.500-6H8l5-6.500h-3z", "paper"],
    ],
  },
} satisfies Record<string, Drawing>;
export type AvatarName = keyof typeof AVATARS;
