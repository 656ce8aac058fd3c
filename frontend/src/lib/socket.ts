// A WebSocket that comes back by itself, from where it was: the server first sends what was missed.
// Commands given while it is away are sent when it returns; an action whose answer was lost is sent
// again only if the table still stands where it stood.
import type { Command, ServerMessage } from "./types";

export type Link = "opening" | "open" | "lost" | "gone";
type Act = Extract<Command, { type: "act" }>;

export class Connection {
  private socket: WebSocket | null = null;
  private waiting: Command[] = [];
  private unanswered: Act | null = null;
  private tries = 0;
  private timer = 0;
  private seq: number | null = null; // the last one seen
  private ready = false; // everything missed has come
  private closed = false;

  constructor(
    private readonly id: string,
    private readonly onMessage: (message: ServerMessage) => void,
    private readonly onLink: (link: Link, why: string) => void,
  ) {
    window.addEventListener("online", this.anew);
    document.addEventListener("visibilitychange", this.now);
    this.connect();
  }

  send(command: Command): void {
    if (command.type === "act") this.unanswered = command;
    if (this.socket?.readyState === WebSocket.OPEN && this.ready) this.socket.send(JSON.stringify(command));
    else if (command.type !== "act") this.waiting.push(command);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    window.removeEventListener("online", this.anew);
    document.removeEventListener("visibilitychange", this.now);
    this.socket?.close();
  }

  /** Come back as whom the cookie names now: the server reads a name when a socket opens. */
  renew(): void {
    const old = this.socket;
    this.connect();
    old?.close();
  }

  private readonly now = () => {
    if (document.visibilityState === "visible" && this.socket?.readyState === WebSocket.CLOSED) this.again();
  };

  /** There is a network again: a socket that began to open without one may never say that it failed. */
  private readonly anew = () => {
    const old = this.socket;
    if (old?.readyState === WebSocket.CONNECTING) {
      this.again();
      old.close();
    } else this.now();
  };

  private again(): void {
    this.tries = 0;
    this.connect();
  }

  private connect(): void {
    if (this.closed) return;
    clearTimeout(this.timer);
    this.ready = false;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const from = this.seq === null ? "" : `&seq=${this.seq}`;
    // A page shows how a deal ended and says when that has been read: the next deal waits for it.
    const socket = new WebSocket(
      `${scheme}://${location.host}/ws/${encodeURIComponent(this.id)}?reads=1${from}`,
    );
    this.socket = socket;
    socket.onmessage = (event) => {
      if (socket === this.socket) this.receive(JSON.parse(event.data as string) as ServerMessage);
    };
    socket.onclose = (event) => {
      if (socket !== this.socket || this.closed) return;
      if (event.code >= 4400) {
        this.onLink("gone", event.code === 4404 ? "" : event.reason); // trying again would not help
        return;
      }
      this.onLink("lost", event.reason);
      const wait = Math.min(5000, 250 * 2 ** this.tries++) * (0.75 + Math.random() / 2);
      this.timer = window.setTimeout(() => this.connect(), wait);
    };
  }

  private receive(message: ServerMessage): void {
    if (message.type === "refused") this.unanswered = null;
    if (message.type === "state") {
      this.seq = message.seq;
      if (this.unanswered && message.seq > this.unanswered.seq) this.unanswered = null;
      if (!this.ready && !message.missed) {
        this.ready = true;
        this.tries = 0;
        this.onLink("open", "");
        const again: Command[] = this.unanswered ? [this.unanswered, ...this.waiting] : this.waiting;
        this.waiting = [];
        for (const command of again) this.socket?.send(JSON.stringify(command));
      }
    }
    this.onMessage(message);
  }
}
