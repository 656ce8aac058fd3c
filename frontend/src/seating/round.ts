// Where seats stand round a drawn table: one's own below, the next to play on its left.

/** The middle of each seat, in hundredths of the width and height. */
export function places(players: number, below: number): { x: number; y: number }[] {
  return Array.from({ length: players }, (_, seat) => {
    const turn = (2 * Math.PI * (seat - below)) / players;
    return { x: 50 - 50 * Math.sin(turn), y: 50 + 50 * Math.cos(turn) };
  });
}
