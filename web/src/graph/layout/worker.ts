/** Lays out off the main thread. */

import type { LayoutInput } from "./input";
import { layered } from "./layered";

interface Asked {
  readonly number: number;
  readonly input: LayoutInput;
}

self.onmessage = (event: MessageEvent<Asked>) => {
  const { number, input } = event.data;
  self.postMessage({ number, layout: layered(input) });
};
