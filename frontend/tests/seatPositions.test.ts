import { expect, test } from "vitest";
import { ground } from "../src/seating/seatPositions";

test.each([2, 3, 4, 5, 6, 7, 8, 9])("each of %i seats has a place of its own", (players) => {
  for (let below = 0; below < players; below++) {
    const { seats, sides } = ground(players, below);
    const taken = new Set<string>();
    for (const { row, from, to } of seats)
      for (let column = from; column < to; column++) {
        expect(taken).not.toContain(`${row}/${column}`);
        taken.add(`${row}/${column}`);
      }
    expect(seats[below]!.row).toBe(Math.max(...seats.map(({ row }) => row)));
    expect(seats.every(({ row }) => row === 1 || row === sides + 3 || row <= sides + 1)).toBe(true);
  }
});

test("partners face each other, and the next to play sits at the left", () => {
  const { seats } = ground(4, 1);
  expect([seats[1]!.row, seats[3]!.row]).toEqual([4, 1]);
  expect([seats[2]!.from, seats[0]!.from]).toEqual([1, 4]);
});
