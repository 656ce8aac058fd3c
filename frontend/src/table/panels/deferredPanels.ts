// Panels that are fetched together, while the first deal is played: one file is smaller than many.
export { default as auction } from "../AuctionTable.svelte";
export { default as claim } from "./Claim.svelte";
export { default as concede } from "./Concede.svelte";
export { default as counting } from "../counting/CountingTrainer.svelte";
export { default as history } from "../PastTrickBar.svelte";
export { default as keys } from "./KeyboardHelp.svelte";
export { default as lay } from "./LayMeld.svelte";
export { default as leave } from "./Leave.svelte";
export { default as melds } from "./Melds.svelte";
export { default as plate } from "../ContractPlate.svelte";
export { default as records } from "./Games.svelte";
export { default as rematch } from "../RematchBar.svelte";
export { default as result } from "./Result.svelte";
export { default as rules } from "./Rules.svelte";
export { default as scores } from "./Scores.svelte";
export { default as stand } from "./LeaveSeat.svelte";
export { default as talk } from "./Talk.svelte";
