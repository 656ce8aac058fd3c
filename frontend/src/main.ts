// Starts the page.
import { mount } from "svelte";
import App from "./App.svelte";
import { wear } from "./lib/settings.svelte";
import { awaitOffer, keepOffline } from "./offline/install.svelte";
import { follow } from "./offline/connectivity.svelte";
import "./styles.css";

wear();
follow();
awaitOffer();
keepOffline();
mount(App, { target: document.getElementById("app")! });
