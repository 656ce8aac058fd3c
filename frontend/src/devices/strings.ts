// The texts of one's devices. They are fetched with them, and so not in `strings.ts`.
export const text = {
  about: (name: string) =>
    `You are ${name} on each of these: the same seats, games and host's rights, at the same time.`,
  here: "this device",
  out: "Sign out",
  outOf: (name: string) => `Sign out ${name}`,
  outHere: "Sign out here",
  others: "Sign out all others",
  again: "Signed out here, this device starts anew as a guest, and a code brings it back.",
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
  leaves: {
    nothing: (name: string) => `It stops being ${name}, who has no seats or games to lose.`,
    kept: (name: string) => `It stops being ${name}, whose seats and games stay on ${name}'s other devices.`,
    lost: (name: string) =>
      `It stops being ${name}: it is ${name}'s only device, so ${name}'s seats, games and own rules are lost for good.`,
  },
  same: (name: string) => `This device is ${name} already. Use the code on another one.`,
  yes: (name: string) => `Be ${name}`,
  no: "Not now",
};
