// Starts the page.
import { mount } from "svelte";
import App from "./App.svelte";
import { wear } from "./lib/settings.svelte";
import "./styles.css";

wear();
mount(App, { target: document.getElementById("app")! });
