import { describe, expect, it } from "vitest";
import { text } from "../src/strings";
import { COUNT, defaultAvatar } from "../src/ui/avatar";
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
});
