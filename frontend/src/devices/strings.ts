// The texts of one's devices. They are fetched with them, and so not in `strings.ts`.
import { text as shared } from "../strings";

const { count } = shared;
const tables = (n: number) => (n ? `, with ${count(n, "table")}` : "");

export const text = {
  about: (name: string) =>
    `You are ${name} on each of these: the same seats, games and host's rights, at the same time.`,
  here: "this device",
  asleep: "is somebody else at the moment",
  out: "Sign out",
  outOf: (name: string) => `Sign out ${name}`,
  outHere: "Sign out here",
  others: "Sign out all others",
  again: (name: string | null) =>
    `Signed out here, this device ${name ? `is ${name} again` : "starts anew, and a code brings it back"}.`,
  only: "This is your only device. If it is lost, so are your seats and games: add another.",
  add: "Add a device",
  addHint:
    "Scan this with the other device. Or open the same page there, choose “My devices” and type the six words:",
  qr: "QR code of a link by which another device becomes you",
  warn: "Whoever has this code becomes you: show it to nobody else. It is good once, and for ten minutes.",
  gone: "That code is over: make another.",
  done: (device: string) => `${device} was added.`,
  take: "Use a code of another device",
  label: "Six words that it shows",
  next: "Next",
  title: (name: string) => `Be ${name} on this device?`,
  gets: (name: string) =>
    `It then has ${name}'s seats, games and host's rights, beside the other devices. Say yes only if ${name} is you.`,
  own: (name: string, n: number) =>
    `Now it is ${name}${tables(n)}. Nothing of that is lost: it stays with ${name}, whom this device is again when you sign it out.`,
  hands:
    "At a table where this device has held a hand as somebody else, it looks on until that deal is over.",
  same: (name: string) => `This device is ${name} already. Use the code on another one.`,
  yes: (name: string) => `Be ${name}`,
  no: "Not now",
};
