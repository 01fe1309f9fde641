// Names of header fields: one lower-case name for each, for any case or compact form (RFC 3261 7.3.3).

const COMPACT: Readonly<Record<string, string>> = {
  a: "accept-contact",
  c: "content-type",
  d: "request-disposition",
  e: "content-encoding",
  f: "from",
  i: "call-id",
  j: "reject-contact",
  k: "supported",
  l: "content-length",
  m: "contact",
  n: "identity-info",
  o: "event",
  r: "refer-to",
  s: "subject",
  t: "to",
  u: "allow-events",
  v: "via",
  x: "session-expires",
  y: "identity",
};

// The usual spelling of well-known names; others are sent as they were received.
const USUAL = [
  "Accept",
  "Allow",
  "Authorization",
  "Call-ID",
  "Contact",
  "Content-Length",
  "Content-Type",
  "CSeq",
  "Date",
  "Diversion",
  "Expires",
  "From",
  "History-Info",
  "Identity",
  "Max-Forwards",
  "Min-SE",
  "P-Asserted-Identity",
  "P-Called-Party-ID",
  "Privacy",
  "Proxy-Authenticate",
  "Proxy-Authorization",
  "RAck",
  "Reason",
  "Record-Route",
  "Remote-Party-ID",
  "Require",
  "Retry-After",
  "Route",
  "RSeq",
  "Server",
  "Session-Expires",
  "Supported",
  "Timestamp",
  "To",
  "User-Agent",
  "Via",
  "WWW-Authenticate",
];

const KNOWN = new Map<string, string>();
for (const name of USUAL) {
  KNOWN.set(name, name.toLowerCase());
  KNOWN.set(name.toLowerCase(), name.toLowerCase());
}
for (const [letter, name] of Object.entries(COMPACT)) {
  KNOWN.set(letter, name);
  KNOWN.set(letter.toUpperCase(), name);
}

export function canonicalName(written: string): string {
  return KNOWN.get(written) ?? written.toLowerCase();
}
