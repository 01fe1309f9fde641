// Each operation as the SDK and the command line call it; an empty one has no short form there. `{name}` stands for a
// value of the form. In the SDK `{query}` and `{body}` are objects of all that is given, `{#n}` is a number; on the
// command line `[--from From]` is left out where it is empty, and `[--failed !delivered]` unless that is false.

import { tableOf } from "../../components/lookup-table.ts";

interface Calls {
  readonly sdk: string;
  readonly cli: string;
}

const calls = (sdk: string, cli: string): Calls => ({ sdk, cli });

const TIMES = "[--since CreatedOnFrom] [--until CreatedOnTo] [--limit PageSize]";
const PARTIES = "[--from From] [--to To]";

export const OPERATION_CALLS = tableOf<Calls>({
  lookUpNumber: calls("lookup.number({Number})", "lookup {Number}"),
  lookUpNumberDetails: calls("lookup.details({Number})", "lookup --details {Number}"),
  lookUpNumbers: calls("lookup.numbers({numbers})", "lookup {numbers}"),
  sendMessage: calls("messages.send({body})", "send --from {From} --to {To} --text {Text}"),
  dryRunMessage: calls("messages.rehearse({body})", "send --dry-run --from {From} --to {To} --text {Text}"),
  listOutboundMessages: calls(
    "messages.list({query})",
    `messages list ${PARTIES} [--status Status] [--error-code ErrorCode] ${TIMES}`,
  ),
  getOutboundMessage: calls("messages.get({sid})", "messages show {sid}"),
  cancelOutboundMessage: calls("messages.cancel({sid})", "messages cancel {sid}"),
  explainOutboundMessage: calls("messages.why({sid})", "messages why {sid}"),
  listInboundMessages: calls("messages.inbound.list({query})", `messages inbound ${PARTIES} ${TIMES}`),
  getInboundMessage: calls("messages.inbound.get({sid})", "messages show {sid}"),
  getAccount: calls("account.get()", "account show"),
  createToken: calls("account.createToken({body})", "account tokens create [--signs signs] [--tool-writes toolWrites]"),
  deleteToken: calls("account.deleteToken({#n})", "account tokens delete {n}"),
  promoteToken: calls("account.promoteToken({#n})", "account tokens promote {n}"),
  rotateAccountWebhookSecret: calls("account.rotateWebhookSecret()", "account rotate-secret"),
  requestFeature: calls("account.requestFeature({feature})", "account request-feature {feature}"),
  listPhones: calls("phones.list({query})", "numbers list [--status Status] [--config MessagingConfigSid]"),
  createPhone: calls("phones.create({body})", "numbers buy {phone} [--name name] [--config messagingConfigSid]"),
  listAvailablePhones: calls(
    "phones.available({query})",
    "numbers available [--area-code AreaCode] [--contains Contains] [--quantity Quantity]",
  ),
  getPhone: calls("phones.get({phone})", "numbers show {phone}"),
  changePhone: calls(
    "phones.change({phone}, {body})",
    "numbers configure {phone} [--name name] [--config messagingConfigSid]",
  ),
  deletePhone: calls("phones.remove({phone})", "numbers release {phone}"),
  getPhoneVoice: calls("phones.voice({phone})", "numbers voice show {phone}"),
  putPhoneVoice: calls(
    "phones.replaceVoice({phone}, {body})",
    "numbers voice set {phone} [--forward-to callsForwardedTo]",
  ),
  changePhoneVoice: calls(
    "phones.changeVoice({phone}, {body})",
    "numbers voice set {phone} [--forward-to callsForwardedTo]",
  ),
  portIn: calls(
    'portIn.submit({data}, [{ name: "letter.pdf", bytes: await readFile("letter.pdf") }])',
    "port-in submit --data order.json --file letter.pdf",
  ),
  listPortOrders: calls("portIn.list({query})", "port-in list [--status Status]"),
  getPortOrder: calls("portIn.get({sid})", "port-in show {sid}"),
  answerPortException: calls("portIn.answer({sid}, {body})", "port-in answer {sid} --data answer.json"),
  cancelPortOrder: calls("portIn.cancel({sid})", "port-in cancel {sid}"),
  checkPortability: calls("portIn.check({Number})", "port-in check {Number}"),
  makePortLetter: calls("portIn.letter({body})", "port-in loa --data order.json --out letter.pdf"),
  getPortLetter: calls("portIn.letterOf({sid})", ""),
  createMessagingConfig: calls("messagingConfigs.create({body})", "configs create {name}"),
  listMessagingConfigs: calls("messagingConfigs.list({query})", "configs list"),
  getMessagingConfig: calls("messagingConfigs.get({sid})", "configs show {sid}"),
  replaceMessagingConfig: calls("messagingConfigs.replace({sid}, {body})", "configs change {sid} [--name name]"),
  changeMessagingConfig: calls("messagingConfigs.change({sid}, {body})", "configs change {sid} [--name name]"),
  deleteMessagingConfig: calls("messagingConfigs.remove({sid})", "configs delete {sid}"),
  listMessagingConfigPhones: calls("messagingConfigs.phones({sid}, {query})", "configs numbers {sid}"),
  addMessagingConfigPhones: calls("messagingConfigs.addPhones({sid}, {phones})", "configs add-numbers {sid} {phones}"),
  deleteMessagingConfigPhones: calls(
    "messagingConfigs.deletePhones({sid}, {phones})",
    "configs remove-numbers {sid} {phones}",
  ),
  listTcrCampaigns: calls("campaigns.list({query})", "campaigns list"),
  getTcrCampaign: calls("campaigns.get({tcrCampaignId})", "campaigns show {tcrCampaignId}"),
  changeTcrCampaign: calls(
    "campaigns.change({tcrCampaignId}, {body})",
    "campaigns link {tcrCampaignId} {messagingConfigSid}",
  ),
  listMigrations: calls("migrations.list({query})", "campaigns migrations"),
  getMigration: calls("migrations.get({tcrCampaignId})", "campaigns migrate {tcrCampaignId} --dry-run"),
  listOptOuts: calls("optOuts.list({query})", "optouts list [--number Number] [--limit PageSize]"),
  createOptOut: calls("optOuts.create({body})", ""),
  deleteOptOut: calls("optOuts.remove({query})", ""),
  placeCall: calls(
    "calls.place({body})",
    "call {from} {to} [--caller-id callerId] [--record record] [--key requireKeyPress]",
  ),
  listCalls: calls("calls.list({query})", `calls list [--status Status] [--direction Direction] ${PARTIES} ${TIMES}`),
  getCall: calls("calls.get({sid})", "calls show {sid}"),
  deleteCall: calls("calls.delete({sid})", "calls delete {sid}"),
  hangUpCall: calls("calls.hangUp({sid})", "calls hangup {sid}"),
  controlRecording: calls("calls.controlRecording({sid}, {action})", ""),
  explainCall: calls("calls.why({sid})", "calls why {sid}"),
  listSipMessages: calls("calls.sipMessages({sid})", "calls sip {sid}"),
  captureSipMessages: calls("calls.sipCapture({sid})", "calls capture {sid}"),
  getRecording: calls("calls.recording({sid}, {#index})", "calls recordings download {sid} {index}"),
  createWebhook: calls("webhooks.create({body})", "webhooks create {url} [--type types] [--config messagingConfigSid]"),
  listWebhooks: calls("webhooks.list({query})", "webhooks list"),
  listWebhookTypes: calls("webhooks.types()", "webhooks types"),
  getWebhook: calls("webhooks.get({sid})", "webhooks show {sid}"),
  changeWebhook: calls("webhooks.change({sid}, {body})", ""),
  deleteWebhook: calls("webhooks.remove({sid})", "webhooks delete {sid}"),
  rotateWebhookSecret: calls("webhooks.rotateSecret({sid})", "webhooks rotate {sid}"),
  testWebhook: calls("webhooks.test({sid})", "webhooks test {sid}"),
  listDeliveries: calls("deliveries.list({query})", "webhooks deliveries"),
  getDelivery: calls("deliveries.get({sid})", "webhooks delivery {sid}"),
  replayDelivery: calls("deliveries.replay({sid}, {body})", "webhooks replay {sid} [--to-url url]"),
  replayDeliveries: calls("deliveries.replayMany({body})", ""),
  listEvents: calls("events.list({query})", "events list [--type Type] [--after After] [--limit PageSize]"),
  streamEvents: calls("events.stream()", "listen"),
  listRequests: calls(
    "requests.list({query})",
    "requests list [--request-id RequestId] [--trace-id TraceId] [--status Status] [--limit PageSize]",
  ),
  getRequest: calls("requests.get({requestId})", "requests show {requestId}"),
  getAttention: calls("oversight.attention()", ""),
  getTraffic: calls("oversight.traffic({query})", ""),
  emulateInboundMessage: calls(
    "sandbox.receiveMessage({body})",
    "sandbox receive --from {from} --to {to} [--text text]",
  ),
  emulateOutboundMessageStatus: calls(
    "sandbox.settleMessage({body})",
    "sandbox settle {sid} [--delivered deliveredSuccessfully] [--failed !deliveredSuccessfully]",
  ),
  emulateInboundCall: calls(
    "sandbox.receiveCall({body})",
    "sandbox call --from {from} --to {to} [--seconds durationSeconds] [--no-answer !answer]",
  ),
  emulateCampaignMigration: calls(
    "sandbox.migrateCampaign({body})",
    "sandbox migrate {tcrCampaignId} [--outcome outcome]",
  ),
  emulatePort: calls("sandbox.decidePort({body})", "sandbox port {sid} [--outcome outcome] [--reason reason]"),
});
