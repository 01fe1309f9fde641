// Describes the fault of a TLS peer's certificate in our own words: nothing that the peer wrote into it is repeated.

const FAULTS: ReadonlyMap<string, string> = new Map([
  ["CERT_HAS_EXPIRED", "Its certificate has expired."],
  ["CERT_NOT_YET_VALID", "Its certificate is not valid yet."],
  ["CERT_REVOKED", "Its certificate was revoked."],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "Its certificate is self-signed."],
  ["SELF_SIGNED_CERT_IN_CHAIN", "Its certificate's issuer is not trusted."],
  ["UNABLE_TO_GET_ISSUER_CERT", "Its certificate's issuer is unknown."],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "Its certificate's issuer is unknown."],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "Its certificate's issuer is unknown."],
]);

/** Undefined when the error is about something else. */
export function certificateFault(
  error: Error & { readonly code?: string; readonly host?: string },
): string | undefined {
  const { code = "", host } = error;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return `Its certificate is for another name than ${host}.`;
  return FAULTS.get(code);
}
