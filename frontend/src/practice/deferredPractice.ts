// What is loaded together: the page of practice, and mistakes of a review that are tried again.
export { default } from "./PracticePage.svelte";
export { default as TryAgain } from "./TryAgain.svelte";
