// Telephone numbers to send to.

const AREAS = ["415", "212", "303", "312", "213", "617", "206", "305", "404", "512"] as const;
let numbered = 0;

/** Another number with each call; they repeat after 100,000. */
export function nextNumber(): string {
  const at = numbered++;
  return `+1${AREAS[Math.floor(at / 10_000) % AREAS.length]}474${String(at % 10_000).padStart(4, "0")}`;
}
