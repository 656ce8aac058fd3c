// Where seats stand at a drawn table: one's own below, the next to play on its left, and so on round.

/** A place in a grid of four columns. The far seats are in its first row, one's own is in the last. */
export interface Place {
  row: number;
  from: number; // lines of columns, from 1 to 5
  to: number;
}
export interface Ground {
  seats: Place[];
  sides: number; // rows of seats at the left and right
}

export function ground(players: number, below: number): Ground {
  const far = Math.min(players - 1, players % 2 ? 2 : 1);
  const sides = (players - 1 - far) / 2;
  const placed = (turn: number): Place => {
    if (!turn) return { row: sides + 3, from: 1, to: 5 };
    if (turn <= sides) return { row: sides + 2 - turn, from: 1, to: 2 };
    if (turn > sides + far) return { row: turn - sides - far + 1, from: 4, to: 5 };
    if (far === 1) return { row: 1, from: 1, to: 5 };
    return turn === sides + 1 ? { row: 1, from: 1, to: 3 } : { row: 1, from: 3, to: 5 };
  };
  const seats = Array.from({ length: players }, (_, seat) => placed((seat - below + players) % players));
  return { seats, sides };
}
