// The instruments of the table: paper, wood and a soft bell, each made of noise or a few waves. Every cue is a
// short score for them; `loud` in it is set so that all cues sound equally loud.
import type { Cue } from "./sound";

interface Desk {
  audio: BaseAudioContext;
  out: AudioNode;
  at: number; // when the cue begins
}

/** Play a cue at a volume from 0 to 1. */
export function sound(audio: BaseAudioContext, name: Cue, volume: number): void {
  const master = audio.createGain();
  master.gain.value = volume ** 1.6; // half way sounds half as loud
  const press = audio.createDynamicsCompressor();
  press.threshold.value = -18;
  press.ratio.value = 4;
  master.connect(press).connect(audio.destination);
  SCORES[name]({ audio, out: master, at: audio.currentTime + 0.01 });
}

const SCORES: Record<Cue, (desk: Desk) => void> = {
  deal: (desk) => {
    for (let i = 0; i < 18; i++) paper(desk, i * 0.055 + (i % 3) * 0.006, 0.07, 2600, 1500, 0.5);
    wood(desk, 1.02, 150, 0.1);
  },
  slide: (desk) => {
    paper(desk, 0, 0.16, 1500, 3200, 0.5);
    wood(desk, 0.14, 190, 0.24);
  },
  place: (desk) => {
    paper(desk, 0, 0.06, 2400, 1400, 0.5);
    wood(desk, 0.02, 190, 0.3);
  },
  flip: (desk) => {
    for (let i = 0; i < 3; i++) {
      paper(desk, 0.08 + i * 0.23, 0.07, 1800, 3600, 0.7);
      wood(desk, 0.17 + i * 0.23, 210, 0.2);
    }
  },
  sweep: (desk) => {
    paper(desk, 0, 0.18, 1300, 2400, 0.4);
    paper(desk, 0.22, 0.34, 2600, 900, 0.6);
    wood(desk, 0.5, 150, 0.26);
  },
  bid: (desk) => {
    wood(desk, 0, 320, 0.6);
    wood(desk, 0.13, 300, 0.5);
  },
  pass: (desk) => wood(desk, 0, 210, 0.55),
  trump: (desk) => [293.7, 440, 587.3].forEach((pitch, i) => bell(desk, i * 0.1, pitch, 0.8, 0.26)),
  meld: (desk) => {
    for (let i = 0; i < 5; i++) paper(desk, i * 0.05, 0.07, 2000, 3000, 0.45);
    bell(desk, 0.26, 440, 0.6, 0.2);
    bell(desk, 0.34, 554.4, 0.7, 0.2);
  },
  turn: (desk) => {
    bell(desk, 0, 659.3, 0.5, 0.22);
    bell(desk, 0.14, 880, 0.7, 0.22);
  },
  made: (desk) => [349.2, 440, 523.3].forEach((pitch, i) => bell(desk, i * 0.12, pitch, 0.8, 0.26)),
  set: (desk) => [392, 311.1, 261.6].forEach((pitch, i) => bell(desk, i * 0.19, pitch, 0.7, 0.26)),
  won: (desk) => {
    [261.6, 329.6, 392, 523.3, 659.3].forEach((pitch, i) => bell(desk, i * 0.11, pitch, 1, 0.26));
    [261.6, 392, 523.3].forEach((pitch) => bell(desk, 0.66, pitch, 1.5, 0.17));
  },
  lost: (desk) => [329.6, 293.7, 246.9, 220].forEach((pitch, i) => bell(desk, i * 0.2, pitch, 0.9, 0.24)),
};

const grain = new WeakMap<BaseAudioContext, AudioBuffer>();
function noise(audio: BaseAudioContext): AudioBuffer {
  const cached = grain.get(audio);
  if (cached) return cached;
  const made = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
  const wave = made.getChannelData(0);
  for (let i = 0; i < wave.length; i++) wave[i] = Math.random() * 2 - 1;
  grain.set(audio, made);
  return made;
}

/** A level that swells and fades. */
function swell({ audio, out }: Desk, at: number, rise: number, length: number, loud: number): GainNode {
  const level = audio.createGain();
  level.gain.setValueAtTime(0.0001, at);
  level.gain.exponentialRampToValueAtTime(loud, at + rise);
  level.gain.exponentialRampToValueAtTime(0.0001, at + length);
  level.connect(out);
  return level;
}

/** Paper over cloth: a breath of noise whose colour moves. */
function paper(desk: Desk, after: number, length: number, from: number, to: number, loud: number): void {
  const { audio } = desk;
  const at = desk.at + after;
  const source = audio.createBufferSource();
  source.buffer = noise(audio);
  const colour = audio.createBiquadFilter();
  colour.type = "bandpass";
  colour.Q.value = 0.8;
  colour.frequency.setValueAtTime(from, at);
  colour.frequency.exponentialRampToValueAtTime(to, at + length);
  source.connect(colour).connect(swell(desk, at, length * 0.3, length, loud));
  source.start(at, Math.random() * 0.5, length + 0.02);
}

/** A knuckle or a card on wood: a short low note that falls. */
function wood(desk: Desk, after: number, pitch: number, loud: number): void {
  const at = desk.at + after;
  const wave = desk.audio.createOscillator();
  wave.frequency.setValueAtTime(pitch, at);
  wave.frequency.exponentialRampToValueAtTime(pitch * 0.6, at + 0.09);
  wave.connect(swell(desk, at, 0.003, 0.12, loud));
  wave.start(at);
  wave.stop(at + 0.14);
  paper(desk, after, 0.03, pitch * 5, pitch * 3, loud * 0.7);
}

/** Plays a soft bell: a note and two overtones, which fade sooner. */
function bell(desk: Desk, after: number, pitch: number, length: number, loud: number): void {
  const at = desk.at + after;
  for (const [times, share, lasts] of [
    [1, 1, 1],
    [2, 0.28, 0.5],
    [3, 0.08, 0.25],
  ] as const) {
    const wave = desk.audio.createOscillator();
    wave.frequency.value = pitch * times;
    wave.connect(swell(desk, at, 0.008, length * lasts, loud * share));
    wave.start(at);
    wave.stop(at + length * lasts + 0.02);
  }
}
