import { describe, expect, it } from "vitest";
import { text } from "../src/strings";
import { avatarsAt, COUNT, defaultAvatar } from "../src/ui/avatar";
import { AVATARS } from "../src/ui/avatars";

describe("signs", () => {
  it("are as many as are counted, and each has a name", () => {
    expect(Object.keys(AVATARS)).toHaveLength(COUNT);
    expect(Object.keys(text.avatar.names)).toEqual(Object.keys(AVATARS));
  });
  it("are the same for the same name, and every one is somebody's", () => {
    const names = Array.from({ length: 400 }, (_, i) => `Player ${i}`);
    expect(names.map(defaultAvatar)).toEqual(names.map(defaultAvatar));
    expect(new Set(names.map(defaultAvatar)).size).toBe(COUNT);
  });
  it("differ from bot to bot", () => {
    expect(new Set(text.bots.map(defaultAvatar)).size).toBe(text.bots.length);
  });
  it("differ at a table from all that nobody has chosen", () => {
    const seat = (name: string, avatar = "") => ({ name, avatar, person: name !== "" });
    const alike = Array.from({ length: 400 }, (_, i) => `P${i}`).filter((name) => defaultAvatar(name) === 3);
    const seats = [
      ...alike.slice(0, 3).map((name) => seat(name)),
      seat("Ann", "owl"),
      seat(""),
      seat("Bo", "owl"),
    ];
    const signs = avatarsAt({ players: 6, you: 0, sides: [], partners: false, packet: 1, seats } as never);
    expect(signs[0]).toBe(Object.keys(AVATARS)[3]);
    expect([signs[3], signs[5]]).toEqual(["owl", "owl"]);
    expect(new Set(signs).size).toBe(5);
  });
});
