// Why a connection could not be made, by the step that failed.

export type ConnectFaultReason = "refused-address" | "dns" | "connect" | "tls" | "reset" | "aborted";

export class ConnectFault extends Error {
  override readonly name = "ConnectFault";
  readonly reason: ConnectFaultReason;

  constructor(reason: ConnectFaultReason, detail: string, cause?: unknown) {
    super(detail, { cause });
    this.reason = reason;
  }
}
