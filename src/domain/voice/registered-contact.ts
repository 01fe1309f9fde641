// Where trunks that register with us are, as every process that handles calls knows it.

export interface RegisteredContact {
  readonly trunk: string;
  /** As the peer wrote it. */
  readonly uri: string;
  readonly instance: string | null;
  readonly q: number;
  readonly callId: string;
  readonly cseq: number;
  /** How and from where the peer registered. */
  readonly transport: "UDP" | "TCP" | "TLS";
  readonly address: string;
  readonly port: number;
  /** Address and port at which the peer reached the server. */
  readonly place: string;
  readonly expiresOn: Date;
}

export interface StoredContact extends RegisteredContact {
  /** Whether this process holds the registration, or another one, or none: that process has ended. */
  readonly holder: "us" | "another" | "nobody";
}

export interface ContactStore {
  /** Those that have not expired. */
  list(trunks: readonly string[] | "all"): Promise<readonly StoredContact[]>;
  /** Stores contacts that this process holds, and deletes those that it does not hold any more, in one statement. */
  write(bound: readonly RegisteredContact[], unbound: readonly RegisteredContact[]): Promise<void>;
  /** Takes contacts over UDP that no process holds, and that were registered at one of these places. */
  adopt(places: readonly string[]): Promise<void>;
}
