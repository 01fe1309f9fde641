// Types for what we use of npm's smpp, which has none.

declare module "smpp" {
  import type { EventEmitter } from "node:events";
  import type { Server as NetServer, Socket } from "node:net";

  export interface Pdu {
    readonly command: string;
    readonly sequence_number: number;
    readonly command_status: number;
    // biome-ignore lint/suspicious/noExplicitAny: the fields differ by command.
    readonly [field: string]: any;
    response(fields?: Readonly<Record<string, unknown>>): Pdu;
  }

  export class PDU {
    constructor(command: string, fields?: Readonly<Record<string, unknown>>);
    toBuffer(): Buffer;
  }

  type Request = (fields: Readonly<Record<string, unknown>>, answered?: (pdu: Pdu) => void) => boolean;

  export interface Session extends EventEmitter {
    readonly socket: Socket;
    send(pdu: Pdu): boolean;
    close(): void;
    destroy(): void;
    readonly bind_transceiver: Request;
    readonly submit_sm: Request;
    readonly deliver_sm: Request;
    readonly data_sm: Request;
  }

  export function connect(options: { readonly host: string; readonly port: number }, connected: () => void): Session;
  export function createServer(
    options: { readonly key?: string; readonly cert?: string },
    session: (session: Session) => void,
  ): NetServer;

  const smpp: { connect: typeof connect; createServer: typeof createServer; PDU: typeof PDU };
  export default smpp;
}
