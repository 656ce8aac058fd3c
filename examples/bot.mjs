// A bot for Aces Around in JavaScript: bids on aces, names its longest suit, leads high, follows low.
// Try it: acesaround simulate partnership --games 5 --bots "cmd:node examples/bot.mjs,thumb"
// What the lines mean stands in docs/protocol.md.

import { createInterface } from "node:readline";

const suit = (card) => card[1];
const height = (card) => "9JQKTA".indexOf(card[0]);
const low = (cards) => [...cards].sort((a, b) => height(a) - height(b));
const count = (cards, of) => cards.filter((card) => suit(card) === of).length;

function bid({ bids, may_pass }, { hand, auction }) {
  const aces = hand.filter((card) => card[0] === "A").length;
  if (!may_pass) return [["bid", bids[0]], "Everybody else has passed."];
  const opened = auction.some((call) => call.bid !== null);
  if (!opened && aces * 4 > hand.length) return [["bid", bids[0]], `I hold ${aces} aces.`];
  return [["pass"], `${aces} aces are not enough.`];
}

function trump({ legal }, { hand }) {
  const best = legal.reduce((a, b) => (count(hand, b[1]) > count(hand, a[1]) ? b : a));
  return [best, `I hold ${count(hand, best[1])} of it.`];
}

// Cards to bury, to give or to discard: the lowest that are not trumps.
function part({ kind, sizes }, { hand, trump }) {
  const junk = low(hand.filter((card) => suit(card) !== trump));
  const trumps = low(hand.filter((card) => suit(card) === trump));
  let cards = [...junk, ...trumps].slice(0, sizes.at(-1));
  if (kind === "discard") cards = cards.filter((card) => junk.includes(card) && height(card) < 4);
  return [[kind, cards], "The lowest go first."];
}

function play({ legal }, { trick, trump }) {
  const meld = legal.find((action) => action[0] === "meld");
  if (meld) return [meld, "Meld is points."];
  if (legal[0][0] === "pass") return [legal[0], "I have no meld to lay before we draw."];
  const cards = low(legal.filter((action) => action[0] === "play").map((action) => action[1]));
  const plain = cards.filter((card) => suit(card) !== trump);
  if (!trick.length) return [["play", (plain.length ? plain : cards).at(-1)], "I lead high."];
  return [["play", plain[0] ?? cards[0]], "I keep what is high."];
}

// The nine of trump for a higher card, if I hold it.
function upcard({ legal }) {
  return [legal[0], "A nine is the least I can give."];
}

function decide({ decision, view }) {
  const how = { bid, trump, upcard, bury: part, give: part, discard: part, play };
  return how[decision.kind](decision, view);
}

function say(line) {
  process.stdout.write(JSON.stringify(line) + "\n");
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ type: "hello", name: "Jack" });
  if (message.type === "decide") {
    const [action, reason] = decide(message);
    say({ type: "act", action, reason });
  }
  if (message.type === "quit") process.exit();
});
