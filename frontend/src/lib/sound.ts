// Sound cues, made on the spot: no files. Silent until a person turns them on.
import { settings } from "./settings.svelte";

export type Cue = "turn" | "card" | "trick" | "deal" | "won";

let audio: AudioContext | null = null;

export function cue(name: Cue): void {
  if (!settings.sound || document.hidden) return;
  try {
    audio ??= new AudioContext();
    void audio.resume();
    if (name === "card") tap(0);
    else if (name === "deal") for (let i = 0; i < 6; i++) tap(i * 0.09);
    else if (name === "trick") tone(440, 0, 0.16, 0.03);
    else if (name === "turn") tone(660, 0, 0.3, 0.06);
    else [523, 659, 784].forEach((pitch, i) => tone(pitch, i * 0.12, 0.4, 0.06));
  } catch {
    // no sound here
  }
}

/** A soft note. */
function tone(pitch: number, after: number, length: number, loud: number): void {
  const at = audio!.currentTime + after;
  const [wave, volume] = [audio!.createOscillator(), audio!.createGain()];
  wave.frequency.value = pitch;
  volume.gain.setValueAtTime(loud, at);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  wave.connect(volume).connect(audio!.destination);
  wave.start(at);
  wave.stop(at + length);
}

/** A card laid down: a short breath of noise. */
function tap(after: number): void {
  const rate = audio!.sampleRate;
  const noise = audio!.createBuffer(1, Math.round(rate * 0.05), rate);
  const wave = noise.getChannelData(0);
  for (let i = 0; i < wave.length; i++) wave[i] = (Math.random() * 2 - 1) * (1 - i / wave.length) ** 4 * 0.16;
  const [source, filter] = [audio!.createBufferSource(), audio!.createBiquadFilter()];
  source.buffer = noise;
  filter.frequency.value = 2200;
  source.connect(filter).connect(audio!.destination);
  source.start(audio!.currentTime + after);
}
