// Where a campaign stands, decided from what the registry says of it.

import type { Standing } from "./campaign-registry.ts";
import type { Migration, SharingChain } from "./registry-documents.ts";

export interface RegistryView {
  readonly primary: SharingChain | undefined;
  readonly provisional: SharingChain | undefined;
  /** The campaign's latest; undefined where there was none or it is not for us to see. */
  readonly migration: Migration | undefined;
}

export function standingOf({ primary, provisional, migration }: RegistryView, now: Date): Standing {
  if (isSettled(primary)) return { kind: "ours" };
  const isMigrating = provisional?.sharedWithUs !== undefined;
  // An ordinary share has nothing to do with how a migration ended.
  if (migration && (isMigrating || primary?.sharedWithUs === undefined)) {
    if (migration.status === "CANCELLED") return { kind: "cancelled", reason: migration.reason };
    const { expiresOn } = migration;
    // The registry may leave one open beyond its date.
    if (migration.status === "ACTIVE" && expiresOn && expiresOn <= now)
      return { kind: "expired", expiredOn: expiresOn };
  }
  return standingIn(isMigrating ? provisional : primary);
}

/** Nobody shares further than a partner that stands at the top. */
function isSettled(chain: SharingChain | undefined): boolean {
  return chain?.sharedWithUs?.status === "ACCEPTED" && (chain.sharedByUs?.status ?? "ACCEPTED") === "ACCEPTED";
}

function standingIn(chain: SharingChain | undefined): Standing {
  const { sharedWithUs, sharedByUs } = chain ?? {};
  switch (sharedWithUs?.status) {
    case undefined:
      return { kind: "notOurs" };
    case "PENDING":
      return { kind: "awaitingUs" };
    case "DECLINED":
      return { kind: "declined", by: "us", decline: sharedWithUs.decline };
    case "ACCEPTED":
      if (sharedByUs?.status === "DECLINED") return { kind: "declined", by: "upstream", decline: sharedByUs.decline };
      return { kind: "awaitingUpstream" };
  }
}
