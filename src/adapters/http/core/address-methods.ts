// Which methods each address of the API has. A request by another method is told so, instead of that nothing is there.

import type { HTTPMethods } from "fastify";

/** By URL, in which a segment that begins with a colon is a parameter. */
export type MethodsByUrl = ReadonlyMap<string, ReadonlySet<HTTPMethods>>;

/** What URLs have in common as far as this segment. */
interface Place {
  readonly named: Map<string, Place>;
  /** Parameters, by what follows them in their segment. */
  readonly parameters: Map<string, Place>;
  /** Of the URL that ends here. */
  url: string | undefined;
}

export class AddressMethods {
  readonly #methodsByUrl: MethodsByUrl;
  readonly #root = newPlace();

  constructor(methodsByUrl: MethodsByUrl) {
    this.#methodsByUrl = methodsByUrl;
    for (const url of methodsByUrl.keys()) {
      let place = this.#root;
      for (const segment of segmentsOf(url)) place = childOf(place, segment);
      place.url = url;
    }
  }

  /** Those of the address that a request asks for. Of two URLs that fit, the one that names it comes first. */
  of(address: string): ReadonlySet<HTTPMethods> | undefined {
    const [path = ""] = address.split("?", 1);
    let places: readonly Place[] = [this.#root];
    for (const segment of segmentsOf(path)) places = places.flatMap((place) => [...fitting(place, segment)]);
    const url = places.find((place) => place.url !== undefined)?.url;
    return url === undefined ? undefined : this.#methodsByUrl.get(url);
  }

  /** Those of the URLs that come after this one for some request that fits both, as `/:sid` comes after `/dryRun`. */
  after(url: string): ReadonlySet<HTTPMethods> {
    let own = this.#root;
    let later: readonly Place[] = [];
    for (const segment of segmentsOf(url)) {
      const isParameter = segment.startsWith(":");
      const within = later.flatMap((place) => [...(isParameter ? children(place) : fitting(place, segment))]);
      later = isParameter ? within : [...within, ...fittingParameters(own, segment)];
      own = childOf(own, segment);
    }
    const urls = later.flatMap((place) => place.url ?? []);
    return new Set(urls.flatMap((other) => [...(this.#methodsByUrl.get(other) ?? []), ...this.after(other)]));
  }
}

function* fitting(place: Place, segment: string): Generator<Place> {
  const named = place.named.get(segment);
  if (named) yield named;
  yield* fittingParameters(place, segment);
}

function* fittingParameters({ parameters }: Place, segment: string): Generator<Place> {
  for (const [ending, place] of parameters) {
    if (segment.endsWith(ending) && segment.length > ending.length) yield place;
  }
}

function* children({ named, parameters }: Place): Generator<Place> {
  yield* named.values();
  yield* parameters.values();
}

/** Made where there is none. */
function childOf({ named, parameters }: Place, segment: string): Place {
  const ending = /^:\w+(.*)$/.exec(segment)?.[1];
  const [places, key] = ending === undefined ? [named, segment] : [parameters, ending];
  const child = places.get(key) ?? newPlace();
  places.set(key, child);
  return child;
}

function newPlace(): Place {
  return { named: new Map(), parameters: new Map(), url: undefined };
}

/** As the router sees them: without cases, escapes and a slash at the end. */
function segmentsOf(path: string): readonly string[] {
  return path
    .replace(/\/$/, "")
    .split("/")
    .map((segment) => decode(segment).toLowerCase());
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
