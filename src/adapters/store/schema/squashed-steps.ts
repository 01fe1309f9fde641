// The 49 steps of builds before step 0001-schema, which creates the same tables. A database or a backup that has all of
// them counts as one that has 0001-schema; one that has only some, or others, is refused with what to do.

import type { AppliedStep } from "./schema-step.ts";

const LAST_COMMIT = "221e907b";

/** Whether these are all of the squashed steps; throws when they are only some of them, or changed. */
export function areSquashed(applied: readonly AppliedStep[]): boolean {
  if (!applied.some(({ name }) => name === SQUASHED_STEPS[0]?.name)) return false;
  if (textOf(applied) === textOf(SQUASHED_STEPS)) return true;
  throw new Error(
    `The database was made by an earlier build of Tandem and lacks some of its last schema steps, or has others. Run the build of commit ${LAST_COMMIT} on it once; or move the data directory away, or name an empty database in TANDEM_DATABASE_URL, and start again.`,
  );
}

const textOf = (steps: readonly AppliedStep[]) => steps.map(({ name, checksum }) => `${name} ${checksum}`).join();

export const SQUASHED_STEPS: readonly AppliedStep[] = [
  { name: "0001-accounts", checksum: "99585d28f18f1c3f1c55edded479521477f02209670d94d6b364d41dd4e1ae5d" },
  { name: "0002-campaigns", checksum: "9bb52124ff1d58e123f39dce29174575b96dff9e552d1e36f61e807546b1add4" },
  { name: "0003-numbers", checksum: "1e335ebb828088820f7bcfa4b8e8b5ae87464510f1a6d8d3a6362123b91f5a9b" },
  { name: "0004-lookup", checksum: "936e643fae5c1944eabecc56562cf38cd523a75ee95edc1ce332616184d2bb87" },
  { name: "0005-messaging", checksum: "06e3ae91f8902d968fa02acbde6ff8cc2e54f270f63e6ac0d2dba7d85d822e4c" },
  { name: "0006-porting", checksum: "31522aa266bf41495a2a35e8b2dbd0d8cfb52eb791b288b07db679e1f0a4e561" },
  { name: "0007-webhooks", checksum: "01635654bc227bdd33999ff13d88f1daec08ff7ccc5bc50f98305d8e288e7b40" },
  { name: "0016-replaced-secrets", checksum: "f61cce2e480a0c650c1603944b5df104c44a741b34f0a9304a839fe50a3898aa" },
  { name: "0017-subscription-types", checksum: "a69ac1bac6cffec2da5837f3f28cff430ea92c2dc9da187ae3a735a035beae10" },
  { name: "0018-late-receipts", checksum: "0f1215a489f4ace702d63dcf203d60f7320c5b144430dc2026d1d0736664b4ab" },
  { name: "0019-deferred-messages", checksum: "8c69cd301817e19f76347554e2c3ccb01b723cb5fc7bf9ea43d202c803151ed5" },
  { name: "0020-secret-key", checksum: "f095e4ba10755916ea38c1b1b014a3f04b091d5eed885371af795d3654400fa0" },
  { name: "0030-campaign-ids", checksum: "214f2ec3957eae56a7aa205709dc2744881eba4c9496a27fb47495ecce3970c3" },
  { name: "0070-group-members", checksum: "d9d5fc26b1b25cc4dbde9b50e836b730ea42a16e8fef74ef0f0f2a0bac8713a4" },
  { name: "0071-config-keywords", checksum: "41d297ac18fe4dcf4aa9c9a466d72cb1aee0b95bef66b4cdfb79110b58b1c01a" },
  { name: "0075-operator-roles", checksum: "3b079d1318555415ff277046cf0a6ae807815e48f83125c3ed627f3c9956918f" },
  { name: "0090-campaign-source", checksum: "2775aed7a1f15ffa2da3da6a7750eb9875d7e69e66224813e6c784a232a4fc70" },
  { name: "0095-stopped-links", checksum: "0e807b2d624288ba914e59ab200986e9551ed8799765f55ff6c761d26ba36667" },
  { name: "0097-default-partitions", checksum: "af74c966b32c43dfac0b9ea5459a005fb94b882195734ed5aeb6dfc7da5c4329" },
  { name: "0110-refused-requests", checksum: "d99fcf824b3cbcd556897a068bca9dd69463cf7c6ba96cd8aa23acfec04c33dc" },
  { name: "0115-statement-deadline", checksum: "eba69300b32bad654e3888026162929e3bc7c526b93fd30e11de8b68166be866" },
  { name: "0120-suspension-reason", checksum: "bcad46d278b8c2d0db070d3cb086dc68254df542403cf16ad363f006ed135d6b" },
  { name: "0125-short-codes", checksum: "809a51f6f31453319bdaf79f7e595a5abf64e83e0dddc5906d3fb831d5fa01ff" },
  { name: "0130-voice", checksum: "27d0e1d60c50851e5c7ac9413fccbe12e3948b1a76568efa5a4616db58d3bca3" },
  { name: "0131-key-press", checksum: "a0b93360d58bea3d0590a050861897846ee24718fe4fc8fddd421806772f48e8" },
  { name: "0135-told-links", checksum: "eca088e0e5fa16f610c30f71b82bcd55cdd6d7d4af532c217d6b6b0efdb7dd03" },
  { name: "0140-recordings", checksum: "0f083c2cf4375668bf9d9e4f1d45d77429137037c3b103e81117c65bb701e2e9" },
  { name: "0150-recording-files", checksum: "162fbc9f5889051e9f4ba20f28990ffd095523db170715ec6d6add688e78579d" },
  { name: "0155-sessions", checksum: "39f819015d772601718c81a6d9fe6d8df51e6de215d66f8e437e94cb500fd0d3" },
  { name: "0170-event-positions", checksum: "e7ac76cd109b4a3065b5176ee74f17bc8a2248a5aa7e47fdc2fa9762314886de" },
  { name: "0180-announcements", checksum: "23e812d708bc536d3134b4189cb66df04fa0d83c7ef08b3b4cfd278177504eb6" },
  { name: "0185-attempt-exchanges", checksum: "0a55242ef5e4350cfce624480533b3f03d2fd6b20dd4f89ee8749b0ab02a07be" },
  { name: "0190-link-figures", checksum: "eec84a989dac03dff5e984eb243244ffee36c00ef350cbb9e77e9e88abf349d2" },
  { name: "0200-attention", checksum: "bc415356c3f5aad2b2fa674aa346e7758a34e051366eca335bd3713b1af1947d" },
  { name: "0210-ported-answers", checksum: "12ebc29fb262d16cd4838098a2379bd160531ec630f5c75359f11fe0587e6afa" },
  { name: "0240-request-ids", checksum: "1c4eb11bdc250dff6314e8c45abceee06724a1a9f01a12be50089a64681d0ad3" },
  { name: "0241-rate-leases", checksum: "9707d631beb22d937f7c13bcf40a72027bdf33ac463b6a2838a3cefb8da745ab" },
  { name: "0250-request-owners", checksum: "91ca9152b63e4e770babd449b1f92099d9c63354fbf4f71e6f4fb18e9687eefa" },
  { name: "0260-due-order", checksum: "7e284730ebabe60c7202b6f7e327b9c6d969f206163d597ddf17b2406291f48f" },
  { name: "0270-first-tried", checksum: "176dc0c8317b75eccce30b74a88e3ec902edae17acf6bfb6a0f9e28b8c47c94a" },
  { name: "0271-taken-over-calls", checksum: "cfb6309f1fdcdee7754d61239b6591957e9b14e632a06606fc19ca2d4f2b7e3e" },
  { name: "0280-taken-switches", checksum: "8a25eed108113f4f9a0a8d4114887722e60f981e88d421be0321c1613482a41a" },
  { name: "0281-campaign-times", checksum: "cf9c209d8aabac56712a81b3215611381e89dc78d503e5c66bcb7f44951f6710" },
  { name: "0290-forwarding-chains", checksum: "258c38c3d5ca5f33339851a01f49735532852be18416d875732c5f40e6737a27" },
  { name: "0291-retired-keys", checksum: "2d0bf902ed60fe1b9d54e042c86ed186c7d4fdc2ef897720d49952d3147b3777" },
  { name: "0300-webhook-methods", checksum: "f9a1086ea2b9ecef4fc481fef4cf2d14cbcb86e47829fd4153e1857fc00e7a44" },
  { name: "0301-callbacks", checksum: "abff53d9e0ea74851af9832f1923013ea843a9f5da416256625f0164fbfae22e" },
  { name: "0310-token-rights", checksum: "10fb356d87dfa3d1a0d1d8b4220e636565fc01401137990f5900fdd8ed5246fe" },
  { name: "0320-account-country", checksum: "6fca4836e8b728cd4ce68863fd03b07a46d3b5cb537c6cc0d173b8f81c8b7e94" },
];
