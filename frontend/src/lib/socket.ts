// A WebSocket that reconnects by itself: the server first sends what the page has missed. Commands
// that are given without a connection are queued. If the answer to an action or a hint was lost, it
// is sent again, but only if the table has not moved on since. A heartbeat detects a server that does
// not answer: each ping must get a pong in time.
import type { Command, ServerMessage } from "./types";

/** The messages that a connection does not handle itself. */
export type TableMessage = Exclude<ServerMessage, { type: "pong" }>;
export type ConnectionStatus = "opening" | "open" | "silent" | "lost" | "gone";
type AnsweredCommand = Extract<Command, { type: "act" | "hint" }>;

// Milliseconds
const PING_DELAY = { min: 3000, max: 12_000 }; // without a message, until a ping is sent: the least in a game
const PING_DELAY_AFTER_SEND = 1500; // the same after a command was sent
const PONG_TIMEOUT = { idle: 3000, afterSend: 1500 }; // after a ping; then the server counts as silent
const RECONNECT_DELAY = 5000; // while the server is silent; doubles with each attempt
const MAX_RECONNECT_DELAY = 40_000;

export class Connection {
  private socket: WebSocket | null = null;
  private queued: Command[] = [];
  private unanswered: { command: AnsweredCommand; seq: number | null } | null = null;
  private resentSeq: number | null = null; // the seq of an action that was sent again
  private attempts = 0;
  private reconnectTimer = 0;
  private heartbeatTimer = 0; // sends the next ping, or notices that a pong is missing
  private isGameRunning = false; // somebody waits for the next action, so silence must be noticed soon
  private pingDelay = PING_DELAY.min; // doubles after each pong while no game runs
  private awaitsAnswer = false; // a command was sent, and no message has come since
  private isSilent = false; // the page was told that the server does not answer
  private lastSeq: number | null = null; // of the last message
  private isCaughtUp = false; // everything missed has been received
  private isClosed = false;

  constructor(
    private readonly id: string,
    private readonly onMessage: (message: TableMessage) => void,
    private readonly onStatus: (status: ConnectionStatus, why: string) => void,
  ) {
    window.addEventListener("online", this.onOnline);
    document.addEventListener("visibilitychange", this.onVisible);
    this.connect();
  }

  send(command: Command): void {
    const needsAnswer = command.type === "act" || command.type === "hint";
    if (needsAnswer) this.unanswered = { command, seq: command.type === "act" ? command.seq : this.lastSeq };
    if (command.type === "act") this.resentSeq = null;
    if (this.isCaughtUp) this.sendNow(command);
    else if (!needsAnswer) this.queued.push(command);
  }

  private sendNow(command: Command): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify(command));
    if (this.awaitsAnswer || command.type === "ping") return;
    this.awaitsAnswer = true;
    this.setHeartbeatTimer(PING_DELAY_AFTER_SEND, () => this.ping(PONG_TIMEOUT.afterSend));
  }

  /** A message has come: send the next ping after `pingDelay` without another message. */
  private restartHeartbeat(): void {
    this.awaitsAnswer = false;
    this.setHeartbeatTimer(this.pingDelay, () => {
      if (document.visibilityState === "visible") this.ping(PONG_TIMEOUT.idle);
      else this.restartHeartbeat();
    });
  }

  /** Send a ping. Without an answer in time, the server counts as silent. */
  private ping(timeout: number): void {
    this.sendNow({ type: "ping" });
    this.setHeartbeatTimer(timeout, () => this.reportSilence());
  }

  private reportSilence(): void {
    this.isSilent = true;
    this.onStatus("silent", "");
    this.setHeartbeatTimer(Math.min(MAX_RECONNECT_DELAY, RECONNECT_DELAY * 2 ** this.attempts++), () =>
      this.reconnect(),
    );
  }

  private setHeartbeatTimer(wait: number, then: () => void): void {
    clearTimeout(this.heartbeatTimer);
    this.heartbeatTimer = window.setTimeout(then, wait);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.reconnectTimer);
    clearTimeout(this.heartbeatTimer);
    window.removeEventListener("online", this.onOnline);
    document.removeEventListener("visibilitychange", this.onVisible);
    this.socket?.close();
  }

  /** Reconnect, because the server reads the cookie only when a socket opens. */
  reconnect(): void {
    const old = this.socket;
    this.connect();
    old?.close();
  }

  private readonly onVisible = () => {
    if (document.visibilityState !== "visible") return;
    if (this.socket?.readyState === WebSocket.CLOSED) this.reconnectNow();
    else if (this.isCaughtUp && !this.awaitsAnswer) this.ping(PONG_TIMEOUT.idle); // the device may have slept
  };

  /** The network is back. A socket that began to open without network may never report its failure. */
  private readonly onOnline = () => {
    const old = this.socket;
    if (old?.readyState === WebSocket.CONNECTING) {
      this.reconnectNow();
      old.close();
    } else this.onVisible();
  };

  private reconnectNow(): void {
    this.attempts = 0;
    this.connect();
  }

  private connect(): void {
    if (this.isClosed) return;
    clearTimeout(this.reconnectTimer);
    this.isCaughtUp = false;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const resume = this.lastSeq === null ? "" : `&seq=${this.lastSeq}`;
    // `reads`: the page shows the result of a deal, and the next deal waits until it has been read.
    const socket = new WebSocket(
      `${scheme}://${location.host}/ws/${encodeURIComponent(this.id)}?reads=1${resume}`,
    );
    this.socket = socket;
    this.awaitsAnswer = false;
    this.setHeartbeatTimer(PONG_TIMEOUT.idle, () => this.reportSilence());
    socket.onmessage = (event) => {
      if (socket === this.socket) this.receive(JSON.parse(event.data as string) as ServerMessage);
    };
    socket.onclose = (event) => {
      if (socket !== this.socket || this.isClosed) return;
      clearTimeout(this.heartbeatTimer);
      if (event.code >= 4400) {
        this.onStatus("gone", event.code === 4404 ? "" : event.reason); // reconnecting would not help
        return;
      }
      this.onStatus("lost", event.reason);
      const wait = Math.min(5000, 250 * 2 ** this.attempts++) * (0.75 + Math.random() / 2);
      this.reconnectTimer = window.setTimeout(() => this.connect(), wait);
    };
  }

  private receive(message: ServerMessage): void {
    if (message.type === "state") {
      const { started, over, paused } = message.table;
      this.isGameRunning = started && !over && !paused;
    }
    const isIdle = message.type === "pong" && !this.isGameRunning;
    this.pingDelay = isIdle ? Math.min(PING_DELAY.max, 2 * this.pingDelay) : PING_DELAY.min;
    this.restartHeartbeat();
    if (this.isSilent && this.isCaughtUp) this.onStatus("open", "");
    this.isSilent = false;
    if (message.type === "pong") return;
    const { resentSeq } = this;
    if (message.type === "refused") this.unanswered = this.resentSeq = null;
    else if (message.type === "hint") {
      if (this.unanswered?.command.type === "hint") this.unanswered = null;
    } else {
      this.lastSeq = message.seq;
      const sentAt = this.unanswered?.seq ?? null;
      if (sentAt !== null && message.seq > sentAt) this.unanswered = null;
      if (!this.isCaughtUp && !message.missed) {
        this.isCaughtUp = true;
        this.attempts = 0;
        this.onStatus("open", "");
        const command = this.unanswered?.command;
        if (command?.type === "act") this.resentSeq = command.seq;
        const toSend = command ? [command, ...this.queued] : this.queued;
        this.queued = [];
        for (const one of toSend) this.sendNow(one);
      }
    }
    // It was applied when it was sent first, so the table has moved on.
    const wasApplied =
      message.type === "refused" && message.code === "stale" && resentSeq !== null && message.seq > resentSeq;
    if (!wasApplied) this.onMessage(message);
  }
}
