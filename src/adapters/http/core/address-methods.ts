// Which methods each address of the API has, so that a request by another method gets 405 instead of 404. URLs are kept
// in a trie of their segments. Like the router, it prefers a segment's name to a parameter.

import type { HTTPMethods } from "fastify";

/** By URL, in which a segment that begins with a colon is a parameter. */
export type MethodsByUrl = ReadonlyMap<string, ReadonlySet<HTTPMethods>>;

interface TrieNode {
  readonly named: Map<string, TrieNode>;
  /** Parameters, by what follows them in their segment. */
  readonly parameters: Map<string, TrieNode>;
  /** The one that ends here. */
  url: string | undefined;
}

export class AddressMethods {
  readonly #methodsByUrl: MethodsByUrl;
  readonly #root = newNode();

  constructor(methodsByUrl: MethodsByUrl) {
    this.#methodsByUrl = methodsByUrl;
    for (const url of methodsByUrl.keys()) {
      let node = this.#root;
      for (const segment of segmentsOf(url)) node = childOf(node, segment);
      node.url = url;
    }
  }

  /** The methods of the URL that an address is routed to. */
  of(address: string): ReadonlySet<HTTPMethods> | undefined {
    const [path = ""] = address.split("?", 1);
    let nodes: readonly TrieNode[] = [this.#root];
    for (const segment of segmentsOf(path)) nodes = nodes.flatMap((node) => [...fitting(node, segment)]);
    const url = nodes.find((node) => node.url !== undefined)?.url;
    return url === undefined ? undefined : this.#methodsByUrl.get(url);
  }

  /**
   * The methods of other URLs that fit a request to this one, which is preferred to them: those of `/:sid` for
   * `/dryRun`.
   */
  shadowedBy(url: string): ReadonlySet<HTTPMethods> {
    let own = this.#root;
    let shadowed: readonly TrieNode[] = [];
    for (const segment of segmentsOf(url)) {
      const isParameter = segment.startsWith(":");
      const within = shadowed.flatMap((node) => [...(isParameter ? children(node) : fitting(node, segment))]);
      shadowed = isParameter ? within : [...within, ...fittingParameters(own, segment)];
      own = childOf(own, segment);
    }
    const urls = shadowed.flatMap((node) => node.url ?? []);
    return new Set(urls.flatMap((other) => [...(this.#methodsByUrl.get(other) ?? []), ...this.shadowedBy(other)]));
  }
}

function* fitting(node: TrieNode, segment: string): Generator<TrieNode> {
  const named = node.named.get(segment);
  if (named) yield named;
  yield* fittingParameters(node, segment);
}

function* fittingParameters({ parameters }: TrieNode, segment: string): Generator<TrieNode> {
  for (const [ending, node] of parameters) {
    if (segment.endsWith(ending) && segment.length > ending.length) yield node;
  }
}

function* children({ named, parameters }: TrieNode): Generator<TrieNode> {
  yield* named.values();
  yield* parameters.values();
}

/** Made where there is none. */
function childOf({ named, parameters }: TrieNode, segment: string): TrieNode {
  const ending = /^:\w+(.*)$/.exec(segment)?.[1];
  const [nodes, key] = ending === undefined ? [named, segment] : [parameters, ending];
  const child = nodes.get(key) ?? newNode();
  nodes.set(key, child);
  return child;
}

function newNode(): TrieNode {
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
