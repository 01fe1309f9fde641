export type ConnectFaultReason = "refused-address" | "dns" | "connect" | "tls" | "reset" | "aborted";

/** Why there is no connection, said in the step that failed. */
export class ConnectFault extends Error {
  override readonly name = "ConnectFault";
  readonly reason: ConnectFaultReason;

  constructor(reason: ConnectFaultReason, detail: string, cause?: unknown) {
    super(detail, { cause });
    this.reason = reason;
  }
}
