// How the trunks fare. Each process that handles calls sees them for itself; the operator sees them over all processes.

export interface TrunkHealth {
  readonly name: string;
  readonly isUp: boolean;
  readonly reason: string;
  readonly calls: number;
  /** Null: nothing limits its calls. */
  readonly window: number | null;
  readonly inFlight: number;
  readonly perSecond: number;
  readonly p95Ms: number | null;
  readonly since: Date | null;
  readonly registration: { readonly isUp: boolean; readonly reason: string } | null;
}

/** The trunks as one process sees them. */
export interface TrunkView {
  /** The name of its machine. */
  readonly host: string;
  readonly trunks: readonly TrunkHealth[];
}

export interface WholeTrunk extends TrunkHealth {
  readonly nodes: readonly (Pick<TrunkHealth, "isUp" | "reason" | "calls" | "registration"> & {
    readonly host: string;
  })[];
}

/** A trunk is up where at least one process reaches it. */
export function trunksOver(views: readonly TrunkView[]): readonly WholeTrunk[] {
  const names = new Set(views.flatMap(({ trunks }) => trunks.map(({ name }) => name)));
  return [...names].flatMap((name) => {
    const seen = views.flatMap(({ host, trunks }) =>
      trunks.filter((trunk) => trunk.name === name).map((trunk) => ({ host, ...trunk })),
    );
    const shown = seen.find(({ isUp }) => isUp) ?? seen[0];
    if (!shown) return [];
    const { host: _, ...best } = shown;
    const sum = (value: (trunk: TrunkHealth) => number) => seen.reduce((total, trunk) => total + value(trunk), 0);
    const times = seen.flatMap(({ p95Ms }) => p95Ms ?? []);
    const registrations = seen.flatMap(({ registration }) => registration ?? []);
    return [
      {
        ...best,
        calls: sum(({ calls }) => calls),
        window: seen.some(({ window }) => window === null) ? null : sum(({ window }) => window ?? 0),
        inFlight: sum(({ inFlight }) => inFlight),
        perSecond: sum(({ perSecond }) => perSecond),
        p95Ms: times.length === 0 ? null : Math.max(...times),
        registration: registrations.find(({ isUp }) => isUp) ?? registrations[0] ?? null,
        nodes: seen.map(({ host, isUp, reason, calls, registration }) => ({ host, isUp, reason, calls, registration })),
      },
    ];
  });
}
