// Describes what is wrong with an external PostgreSQL that cannot be used, and what to do. Never shows the password.

import { serversOf } from "../../adapters/store/engine/writable-server.ts";

const ADVICE: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "Nothing listens there: start PostgreSQL, or correct host and port."],
  ["ENOENT", "There is no such socket: start PostgreSQL, or correct the path."],
  ["ENOTFOUND", "There is no such host: correct it."],
  ["EAI_AGAIN", "The name of the host cannot be looked up just now: check the network, and start again."],
  ["EHOSTUNREACH", "There is no way to the host: check the network."],
  ["ENETUNREACH", "There is no way to the host: check the network."],
  ["ETIMEDOUT", "It does not answer: check host, port and firewall."],
  ["ECONNRESET", "It hung up: check that it is PostgreSQL that listens there."],
  ["28P01", "User or password is wrong: correct them."],
  ["28000", "PostgreSQL does not admit this user from here: check the user, and pg_hba.conf."],
  ["3D000", "There is no such database: make it with createdb, or correct the name."],
  ["42501", "The user may not make tables: make it the owner of the database."],
  ["53300", "PostgreSQL has no connection left: raise max_connections."],
  ["57P03", "PostgreSQL is starting or stopping: see its log, and start again when it is ready."],
  ["25006", "Give the address of the server that takes writes, or of all servers, separated by commas."],
]);

/** Returns the fault unchanged when the connection is not its cause. */
export function databaseFault(fault: unknown, url: string): unknown {
  // Node tries all addresses of a host, and reports one fault for each.
  const first: unknown = fault instanceof AggregateError ? fault.errors[0] : fault;
  const { code = "", message = "" } = first as { readonly code?: string; readonly message?: string };
  const advice = ADVICE.get(code === "" && /timeout/i.test(message) ? "ETIMEDOUT" : code);
  if (advice === undefined) return fault;
  const reason = message === "" ? code : message;
  return new Error(`TANDEM_DATABASE_URL: ${placeOf(url)} cannot be used (${reason}). ${advice}`, { cause: fault });
}

function placeOf(url: string): string {
  const servers = serversOf(url);
  const [first] = servers;
  if (!URL.canParse(first)) return "the database";
  const { username, pathname } = new URL(first);
  const hosts = servers.map((server) => new URL(server).host);
  return `postgres://${username === "" ? "" : `${username}@`}${hosts}${pathname}`;
}
