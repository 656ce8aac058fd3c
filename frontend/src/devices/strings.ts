// The texts of *My devices*. They are loaded with it.
export const text = {
  about: (name: string) =>
    `You are ${name} on all these devices, with the same seats, games and host's rights.`,
  here: "this device",
  out: "Sign out",
  outOf: (name: string) => `Sign out ${name}`,
  outHere: "Sign out here",
  others: "Sign out all others",
  again: "After you sign out here, this device is a new guest. Add it again with a code.",
  only: "This is your only device. If you lose it, you lose your seats and games. Add another device.",
  add: "Add a device",
  scan: "Scan this with the other device:",
  type: "Or open this page there, choose “My devices” and type these six words:",
  qr: "QR code of the link that adds another device",
  warn: "Keep this code secret: with it, others can play as you. It works once, within ten minutes.",
  gone: "That code has expired. Make a new one.",
  done: (device: string) => `${device} was added.`,
  take: "Use a code from another device",
  label: "Type the six words that it shows",
  next: "Next",
  title: (name: string) => `Sign in as ${name} on this device?`,
  gets: (name: string) =>
    `This device then has ${name}'s seats, games and host's rights too. Sign in only if you are ${name}.`,
  leaves: {
    nothing: (name: string) => `This signs out ${name}, who has no seats or games to lose.`,
    kept: (name: string) =>
      `This signs out ${name} here. The seats and games stay on ${name}'s other devices.`,
    lost: (name: string) =>
      `This is ${name}'s only device. If you go on, ${name}'s seats, games and custom games are lost.`,
  },
  same: (name: string) => `You are already ${name} on this device. Use the code on another device.`,
  yes: (name: string) => `Sign in as ${name}`,
  no: "Not now",
};
