// Decides the standing of a campaign from the registry's sharing chains and migration.

import type { StandingUpdate } from "../../domain/campaigns/index.ts";
import type { Migration, Share, SharingChain } from "./registry-documents.ts";

export interface RegistryView {
  readonly primary: SharingChain | undefined;
  readonly provisional: SharingChain | undefined;
  /** The campaign's latest; undefined when there was none or the registry does not show it to us. */
  readonly migration: Migration | undefined;
}

export function standingOf({ primary, provisional, migration }: RegistryView, now: Date): StandingUpdate {
  if (isSettled(primary)) return { standing: "Ours", reason: null };
  const isMigrating = provisional?.sharedWithUs !== undefined;
  // The end of a migration does not concern an ordinary share.
  if (migration && (isMigrating || primary?.sharedWithUs === undefined)) {
    if (migration.status === "CANCELLED")
      return { standing: "Cancelled", reason: migration.reason || "Its owner gave no reason." };
    const { expiresOn } = migration;
    // The registry may leave a migration active beyond its date.
    if (migration.status === "ACTIVE" && expiresOn && expiresOn <= now)
      return { standing: "Expired", reason: `It was not settled before ${expiresOn.toISOString()}.` };
  }
  return standingIn(isMigrating ? provisional : primary);
}

/** The partner at the top of the chain does not share any further, so `sharedByUs` may be absent. */
function isSettled(chain: SharingChain | undefined): boolean {
  return chain?.sharedWithUs?.status === "ACCEPTED" && (chain.sharedByUs?.status ?? "ACCEPTED") === "ACCEPTED";
}

function standingIn(chain: SharingChain | undefined): StandingUpdate {
  const { sharedWithUs, sharedByUs } = chain ?? {};
  switch (sharedWithUs?.status) {
    case undefined:
      return { standing: "NotOurs", reason: null };
    case "PENDING":
      return { standing: "AwaitingUs", reason: null };
    case "DECLINED":
      return declined("It was declined here", sharedWithUs);
    case "ACCEPTED":
      if (sharedByUs?.status === "DECLINED") return declined("The partner above us declined it", sharedByUs);
      return { standing: "AwaitingUpstream", reason: null };
  }
}

function declined(who: string, { categories, explanation }: Share): StandingUpdate {
  return { standing: "Declined", reason: `${who} (${categories.join(", ")}): ${explanation}` };
}
