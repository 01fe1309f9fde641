// A dialog (RFC 3261 12): its state, and how requests inside it are made and checked.

import { parseUri } from "../../../rules/sip-uri.ts";
import { contactOf, headerOf, type SipMessage, valuesOf } from "./message.ts";
import { parseNameAddr } from "./name-addr.ts";
import { parameterOf } from "./parameters.ts";
import { clean, type RequestDraft } from "./write.ts";

export interface Dialog {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  /** Values for From and To of our requests, tags included. */
  readonly local: string;
  readonly remote: string;
  /** CSeq of our last request. */
  readonly localCseq: number;
  /** CSeq of the peer's last request; -1 before the first. */
  readonly remoteCseq: number;
  /** Where requests go: the peer's Contact. */
  readonly target: string;
  /** Route values in the order in which they are visited. */
  readonly routes: readonly string[];
}

const ROUTES_MAX = 20;

/** RFC 3261 12.1.2: the dialog that a response to our INVITE creates; undefined when it has no tag. */
export function dialogOfResponse(invite: RequestDraft, localTag: string, response: SipMessage): Dialog | undefined {
  if (response.toTag === "") return undefined;
  return {
    callId: invite.callId,
    localTag,
    remoteTag: response.toTag,
    local: invite.from,
    remote: rawOf(response, "to"),
    localCseq: invite.cseq,
    remoteCseq: -1,
    target: targetOf(response) ?? invite.uri,
    routes: [...routesOf(response)].reverse(),
  };
}

/** RFC 3261 12.1.1: the dialog that our answer to an INVITE creates. */
export function dialogOfRequest(invite: SipMessage, localTag: string): Dialog {
  return {
    callId: invite.callId,
    localTag,
    remoteTag: invite.fromTag,
    local: `${rawOf(invite, "to")};tag=${localTag}`,
    remote: rawOf(invite, "from"),
    localCseq: 0,
    remoteCseq: invite.cseq,
    target: targetOf(invite) ?? invite.from.uri,
    routes: routesOf(invite),
  };
}

function rawOf(message: SipMessage, name: "from" | "to"): string {
  return clean(headerOf(message, name) ?? "");
}

/** The Contact, if it is a URI to which a request can be sent. */
export function targetOf(message: SipMessage): string | undefined {
  const uri = contactOf(message)?.uri;
  const parsed = uri === undefined ? undefined : parseUri(uri);
  return parsed?.scheme === "sip" || parsed?.scheme === "sips" ? uri : undefined;
}

function routesOf(message: SipMessage): readonly string[] {
  const routes = valuesOf(message, "record-route");
  return routes.length <= ROUTES_MAX ? routes : [];
}

/** RFC 3261 12.2.1.1: a request inside the dialog, by loose or by strict routing. */
export function requestInDialog(
  dialog: Dialog,
  order: Pick<RequestDraft, "method" | "cseq" | "lines" | "contentType"> & { readonly body?: string },
): RequestDraft {
  const { routes, target, local: from, remote: to, callId } = dialog;
  const first = routeOf(routes);
  const isStrict = first !== undefined && !first.isLoose;
  return {
    body: "",
    ...order,
    from,
    to,
    callId,
    uri: isStrict ? first.uri : target,
    routes: isStrict ? [...routes.slice(1), `<${target}>`] : routes,
  };
}

/** The URI whose host a draft is sent to: the first route, unless the request is routed strictly. */
export function nextHopOf(draft: Pick<RequestDraft, "uri" | "routes">): string {
  const first = routeOf(draft.routes);
  return first?.isLoose ? first.uri : draft.uri;
}

/** The first route, and whether it routes loosely; undefined where no request can be sent to it. */
function routeOf([first]: readonly string[]): { readonly uri: string; readonly isLoose: boolean } | undefined {
  const uri = first === undefined ? undefined : parseNameAddr(first)?.uri;
  const parsed = uri === undefined ? undefined : parseUri(uri);
  if (uri === undefined || !parsed || !("host" in parsed)) return undefined;
  return { uri, isLoose: parameterOf(parsed.parameters, "lr") !== undefined };
}
