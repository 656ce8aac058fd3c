// A WebSocket that comes back by itself, from where it was: the server first sends what was missed.
// Commands given while it is away are sent when it returns; an action or a hint whose answer was lost
// is asked for again only if the table still stands where it stood. A server that says nothing is asked
// whether it is there: it answers each ping.
import type { Command, ServerMessage } from "./types";

/** What a connection hears that is not for itself. */
export type TableMessage = Exclude<ServerMessage, { type: "pong" }>;
export type Link = "opening" | "open" | "silent" | "lost" | "gone";
type Asked = Extract<Command, { type: "act" | "hint" }>;

// Milliseconds
const QUIET = { first: 3000, most: 12_000 }; // without a message: then the server is asked whether it is there
const UNANSWERED = 1500; // the same after something that was sent
const SILENT = { asked: 3000, sent: 1500 }; // from the ping on: then it does not answer
const RENEW = 5000; // after which a line that stays silent is replaced, and later after longer
const LONGEST = 40_000;

export class Connection {
  private socket: WebSocket | null = null;
  private waiting: Command[] = [];
  private unanswered: { command: Asked; seq: number | null } | null = null;
  private again: number | null = null; // the seq of an action that was sent a second time
  private tries = 0;
  private timer = 0;
  private watch = 0; // the timer that notices silence
  private quiet = QUIET.first; // twice as long after each answer without news
  private awaits = false; // something was sent, and nothing has come since
  private silent = false; // and was said to be
  private seq: number | null = null; // the last one seen
  private ready = false; // everything missed has come
  private closed = false;

  constructor(
    private readonly id: string,
    private readonly onMessage: (message: TableMessage) => void,
    private readonly onLink: (link: Link, why: string) => void,
  ) {
    window.addEventListener("online", this.anew);
    document.addEventListener("visibilitychange", this.now);
    this.connect();
  }

  send(command: Command): void {
    const kept = command.type === "act" || command.type === "hint";
    if (kept) this.unanswered = { command, seq: command.type === "act" ? command.seq : this.seq };
    if (command.type === "act") this.again = null;
    if (this.ready) this.put(command);
    else if (!kept) this.waiting.push(command);
  }

  private put(command: Command): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify(command));
    if (this.awaits || command.type === "ping") return;
    this.awaits = true;
    this.later(UNANSWERED, () => this.ask(SILENT.sent));
  }

  /** Something has come, or another line is being opened: the next silence is noticed anew. */
  private heard(): void {
    this.awaits = false;
    this.later(this.quiet, () => {
      if (document.visibilityState === "visible") this.ask(SILENT.asked);
      else this.heard();
    });
  }

  /** Ask whether the server is there: it is silent where it does not say so in time. */
  private ask(patience: number): void {
    this.put({ type: "ping" });
    this.later(patience, () => this.despair());
  }

  private despair(): void {
    this.silent = true;
    this.onLink("silent", "");
    this.later(Math.min(LONGEST, RENEW * 2 ** this.tries++), () => this.renew());
  }

  private later(wait: number, then: () => void): void {
    clearTimeout(this.watch);
    this.watch = window.setTimeout(then, wait);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.watch);
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
    if (document.visibilityState !== "visible") return;
    if (this.socket?.readyState === WebSocket.CLOSED) this.retry();
    else if (this.ready && !this.awaits) this.ask(SILENT.asked); // a telephone has slept, perhaps
  };

  /** There is a network again: a socket that began to open without one may never say that it failed. */
  private readonly anew = () => {
    const old = this.socket;
    if (old?.readyState === WebSocket.CONNECTING) {
      this.retry();
      old.close();
    } else this.now();
  };

  private retry(): void {
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
    this.awaits = false;
    this.later(SILENT.asked, () => this.despair());
    socket.onmessage = (event) => {
      if (socket === this.socket) this.receive(JSON.parse(event.data as string) as ServerMessage);
    };
    socket.onclose = (event) => {
      if (socket !== this.socket || this.closed) return;
      clearTimeout(this.watch);
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
    this.quiet = message.type === "pong" ? Math.min(QUIET.most, 2 * this.quiet) : QUIET.first;
    this.heard();
    if (this.silent && this.ready) this.onLink("open", "");
    this.silent = false;
    if (message.type === "pong") return;
    const { again } = this;
    if (message.type === "refused") this.unanswered = this.again = null;
    else if (message.type === "hint") {
      if (this.unanswered?.command.type === "hint") this.unanswered = null;
    } else {
      this.seq = message.seq;
      const asked = this.unanswered?.seq ?? null;
      if (asked !== null && message.seq > asked) this.unanswered = null;
      if (!this.ready && !message.missed) {
        this.ready = true;
        this.tries = 0;
        this.onLink("open", "");
        const command = this.unanswered?.command;
        if (command?.type === "act") this.again = command.seq;
        const waited = command ? [command, ...this.waiting] : this.waiting;
        this.waiting = [];
        for (const one of waited) this.put(one);
      }
    }
    // It was done when it was sent first: the table has moved on by it.
    const done =
      message.type === "refused" && message.code === "stale" && again !== null && message.seq > again;
    if (!done) this.onMessage(message);
  }
}
