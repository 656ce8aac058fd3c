// Starts the page.
import { mount } from "svelte";
import App from "./App.svelte";
import { applySettings } from "./lib/settings.svelte";
import { captureInstallPrompt, registerServiceWorker } from "./offline/install.svelte";
import { watchConnectivity } from "./offline/connectivity.svelte";
import "./styles.css";

applySettings();
watchConnectivity();
captureInstallPrompt();
registerServiceWorker();
mount(App, { target: document.getElementById("app")! });
