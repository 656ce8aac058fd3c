// The texts of the panels of a table that are loaded when somebody opens them.

export const text = {
  keys: {
    rows: [
      ["← → ↑ ↓", "move along the hand"],
      ["Enter", "play or choose the card"],
      ["B", "the main button: bid, bury, pass cards or continue"],
      ["+ −", "bid higher or lower"],
      ["P", "pass"],
      ["1 2 3 4", "name trump: ♠ ♥ ♦ ♣"],
      ["L", "last trick, then ← → for others"],
      ["M", "melds"],
      ["S", "score"],
      ["H", "hint"],
      ["D", "do what the hint says"],
      ["U", "take back"],
      ["C", "claim the rest"],
      ["T", "say something"],
      ["O", "reverse the order of the hand"],
      ["Esc", "close, clear, skip"],
      ["?", "these keys"],
    ],
    off: "You can turn them off in the settings.",
  },
  talking: {
    write: "Write something",
    send: "Send",
    pictures: "Pictures",
    hearing: "Mute",
    muteAll: "Mute everybody",
    mute: (who: string) => `Mute ${who}`,
    allow: "Allow free text in the chat",
    listed: "At a public table you can send only phrases and pictures.",
    closed: "The host can allow free text in the chat.",
  },
  claim: {
    title: "Claim the rest?",
    text: (n: number, alone: boolean) =>
      n === 1
        ? `Your last card is sure to win. ${alone ? "It is played at once." : "It is played at once if the others agree."}`
        : `Your cards are sure to win all ${n} tricks that are left. ${alone ? "They are played at once." : "They are played at once if the others agree."}`,
    yes: "Claim",
  },
  concede: {
    title: "Give up this deal?",
    text: (result: string) => `${result} This cannot be taken back.`,
    yes: "Give up the deal",
  },
  leave: {
    title: "Leave the table?",
    back: "You keep your seat. You find this table under “Your tables”.",
    wait: "The others have to wait for you.",
    stay: "Stay",
    go: "Leave",
    seat: "Leave your seat?",
    seatText: "A bot takes your seat and plays on with your cards. You can stay and watch.",
  },
};
