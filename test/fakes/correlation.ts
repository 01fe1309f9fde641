// How similar a received signal is to the sent one, at any offset: 1 is identical, at any volume.

const WINDOW = 1600;

export function correlation(said: ArrayLike<number>, heard: ArrayLike<number>): number {
  const loudest = loudestWindow(said);
  let best = 0;
  let bestLag = 0;
  for (let lag = -loudest; lag + loudest + WINDOW <= heard.length; lag++) {
    const found = alike(said, heard, lag, loudest, loudest + WINDOW);
    if (found > best) [best, bestLag] = [found, lag];
  }
  return alike(said, heard, bestLag, 0, said.length);
}

function loudestWindow(samples: ArrayLike<number>): number {
  let best = 0;
  let most = -1;
  for (let start = 0; start + WINDOW <= samples.length; start += WINDOW) {
    let energy = 0;
    for (let at = start; at < start + WINDOW; at++) energy += (samples[at] ?? 0) ** 2;
    if (energy > most) [most, best] = [energy, start];
  }
  return best;
}

/** Missing samples count as silence. */
function alike(said: ArrayLike<number>, heard: ArrayLike<number>, lag: number, start: number, end: number): number {
  let [both, one, other] = [0, 0, 0];
  for (let at = start; at < end; at++) {
    const spoken = said[at] ?? 0;
    const got = heard[at + lag] ?? 0;
    both += spoken * got;
    one += spoken * spoken;
    other += got * got;
  }
  return one === 0 || other === 0 ? 0 : both / Math.sqrt(one * other);
}
