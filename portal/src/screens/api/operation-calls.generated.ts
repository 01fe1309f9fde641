// Each operation as the SDK and the command line call it: npm run generate. Not written by hand.
//
// An empty one has no short form there. `{name}` stands for a value of the form. In the SDK `{query}` and
// `{body}` are objects of all that is given, `{#n}` is a number; on the command line `[--from From]` is left out
// where it is empty, and `[--failed !delivered]` unless that is false.

import { tableOf } from "../../components/lookup-table.ts";

interface Calls {
  readonly sdk: string;
  readonly cli: string;
}

export const OPERATION_CALLS = tableOf<Calls>({
  "lookUpNumber": {
    "sdk": "lookup.number({Number})",
    "cli": "lookup {Number}"
  },
  "lookUpNumberDetails": {
    "sdk": "lookup.details({Number})",
    "cli": "lookup --details {Number}"
  },
  "lookUpNumbers": {
    "sdk": "lookup.numbers({numbers})",
    "cli": "lookup {numbers}"
  },
  "sendMessage": {
    "sdk": "messages.send({body})",
    "cli": "send --from {From} --to {To} --text {Text}"
  },
  "dryRunMessage": {
    "sdk": "messages.rehearse({body})",
    "cli": "send --dry-run --from {From} --to {To} --text {Text}"
  },
  "listOutboundMessages": {
    "sdk": "messages.list({query})",
    "cli": "messages list [--from From] [--to To] [--since CreatedOnFrom] [--until CreatedOnTo] [--status Status] [--error-code ErrorCode] [--limit PageSize]"
  },
  "getOutboundMessage": {
    "sdk": "messages.get({sid})",
    "cli": "messages show {sid}"
  },
  "cancelOutboundMessage": {
    "sdk": "messages.cancel({sid})",
    "cli": "messages cancel {sid}"
  },
  "explainOutboundMessage": {
    "sdk": "messages.why({sid})",
    "cli": "messages why {sid}"
  },
  "listInboundMessages": {
    "sdk": "messages.inbound.list({query})",
    "cli": "messages inbound [--from From] [--to To] [--since CreatedOnFrom] [--until CreatedOnTo] [--limit PageSize]"
  },
  "getInboundMessage": {
    "sdk": "messages.inbound.get({sid})",
    "cli": "messages show {sid}"
  },
  "getAccount": {
    "sdk": "account.get()",
    "cli": "account show"
  },
  "createToken": {
    "sdk": "account.createToken({body})",
    "cli": "account tokens create [--signs signs] [--tool-writes toolWrites]"
  },
  "promoteToken": {
    "sdk": "account.promoteToken({#n})",
    "cli": "account tokens promote {n}"
  },
  "deleteToken": {
    "sdk": "account.deleteToken({#n})",
    "cli": "account tokens delete {n}"
  },
  "rotateAccountWebhookSecret": {
    "sdk": "account.rotateWebhookSecret()",
    "cli": "account rotate-secret"
  },
  "requestFeature": {
    "sdk": "account.requestFeature({feature})",
    "cli": "account request-feature {feature}"
  },
  "listChanges": {
    "sdk": "changes.list({query})",
    "cli": "changes list [--operation Operation] [--resource Resource] [--since CreatedOnFrom] [--until CreatedOnTo] [--limit PageSize]"
  },
  "createSupportLink": {
    "sdk": "account.linkForSupport({address})",
    "cli": "account support-link {address}"
  },
  "listPhones": {
    "sdk": "phones.list({query})",
    "cli": "numbers list [--status Status] [--config MessagingConfigSid]"
  },
  "listAvailablePhones": {
    "sdk": "phones.available({query})",
    "cli": "numbers available [--area-code AreaCode] [--contains Contains] [--quantity Quantity]"
  },
  "createPhone": {
    "sdk": "phones.create({body})",
    "cli": "numbers buy {phone} [--name name] [--config messagingConfigSid]"
  },
  "getPhone": {
    "sdk": "phones.get({phone})",
    "cli": "numbers show {phone}"
  },
  "changePhone": {
    "sdk": "phones.change({phone}, {body})",
    "cli": "numbers configure {phone} [--name name] [--config messagingConfigSid]"
  },
  "deletePhone": {
    "sdk": "phones.remove({phone})",
    "cli": "numbers release {phone}"
  },
  "getPhoneVoice": {
    "sdk": "phones.voice({phone})",
    "cli": "numbers voice show {phone}"
  },
  "putPhoneVoice": {
    "sdk": "phones.replaceVoice({phone}, {body})",
    "cli": "numbers voice set {phone} [--forward-to callsForwardedTo]"
  },
  "changePhoneVoice": {
    "sdk": "phones.changeVoice({phone}, {body})",
    "cli": "numbers voice set {phone} [--forward-to callsForwardedTo]"
  },
  "portIn": {
    "sdk": "portIn.submit({data}, [{ name: \"letter.pdf\", bytes: await readFile(\"letter.pdf\") }])",
    "cli": "port-in submit --data order.json --file letter.pdf"
  },
  "listPortOrders": {
    "sdk": "portIn.list({query})",
    "cli": "port-in list [--status Status]"
  },
  "getPortOrder": {
    "sdk": "portIn.get({sid})",
    "cli": "port-in show {sid}"
  },
  "cancelPortOrder": {
    "sdk": "portIn.cancel({sid})",
    "cli": "port-in cancel {sid}"
  },
  "answerPortException": {
    "sdk": "portIn.answer({sid}, {body})",
    "cli": "port-in answer {sid} --data answer.json"
  },
  "checkPortability": {
    "sdk": "portIn.check({Number})",
    "cli": "port-in check {Number}"
  },
  "makePortLetter": {
    "sdk": "portIn.letter({body})",
    "cli": "port-in loa --data order.json --out letter.pdf"
  },
  "getPortLetter": {
    "sdk": "portIn.letterOf({sid})",
    "cli": "port-in loa --order {sid}"
  },
  "createMessagingConfig": {
    "sdk": "messagingConfigs.create({body})",
    "cli": "configs create {name} [--campaign tcrCampaignId] [--expiry defaultExpirySeconds] [--opt-out-reply optOutReply] [--opt-in-reply optInReply] [--help-reply helpReply]"
  },
  "listMessagingConfigs": {
    "sdk": "messagingConfigs.list({query})",
    "cli": "configs list"
  },
  "getMessagingConfig": {
    "sdk": "messagingConfigs.get({sid})",
    "cli": "configs show {sid}"
  },
  "replaceMessagingConfig": {
    "sdk": "messagingConfigs.replace({sid}, {body})",
    "cli": "configs change {sid} [--name name]"
  },
  "changeMessagingConfig": {
    "sdk": "messagingConfigs.change({sid}, {body})",
    "cli": "configs change {sid} [--name name] [--campaign tcrCampaignId] [--expiry defaultExpirySeconds] [--opt-out-reply optOutReply] [--opt-in-reply optInReply] [--help-reply helpReply]"
  },
  "deleteMessagingConfig": {
    "sdk": "messagingConfigs.remove({sid})",
    "cli": "configs delete {sid}"
  },
  "listMessagingConfigPhones": {
    "sdk": "messagingConfigs.phones({sid}, {query})",
    "cli": "configs numbers {sid}"
  },
  "addMessagingConfigPhones": {
    "sdk": "messagingConfigs.addPhones({sid}, {phones})",
    "cli": "configs add-numbers {sid} {phones}"
  },
  "deleteMessagingConfigPhones": {
    "sdk": "messagingConfigs.deletePhones({sid}, {phones})",
    "cli": "configs remove-numbers {sid} {phones}"
  },
  "listTcrCampaigns": {
    "sdk": "campaigns.list({query})",
    "cli": "campaigns list"
  },
  "getTcrCampaign": {
    "sdk": "campaigns.get({tcrCampaignId})",
    "cli": "campaigns show {tcrCampaignId}"
  },
  "changeTcrCampaign": {
    "sdk": "campaigns.change({tcrCampaignId}, {body})",
    "cli": "campaigns link {tcrCampaignId} {messagingConfigSid}"
  },
  "listMigrations": {
    "sdk": "migrations.list({query})",
    "cli": "campaigns migrations"
  },
  "getMigration": {
    "sdk": "migrations.get({tcrCampaignId})",
    "cli": "campaigns migrate {tcrCampaignId} --dry-run"
  },
  "listOptOuts": {
    "sdk": "optOuts.list({query})",
    "cli": "optouts list [--number Number] [--limit PageSize]"
  },
  "createOptOut": {
    "sdk": "optOuts.create({body})",
    "cli": ""
  },
  "deleteOptOut": {
    "sdk": "optOuts.remove({query})",
    "cli": ""
  },
  "placeCall": {
    "sdk": "calls.place({body})",
    "cli": "call {from} {to} [--caller-id callerId] [--record record] [--key requireKeyPress]"
  },
  "listCalls": {
    "sdk": "calls.list({query})",
    "cli": "calls list [--status Status] [--direction Direction] [--from From] [--to To] [--since CreatedOnFrom] [--until CreatedOnTo] [--limit PageSize]"
  },
  "getCall": {
    "sdk": "calls.get({sid})",
    "cli": "calls show {sid}"
  },
  "hangUpCall": {
    "sdk": "calls.hangUp({sid})",
    "cli": "calls hangup {sid}"
  },
  "redirectCall": {
    "sdk": "calls.redirect({sid}, {body})",
    "cli": "calls redirect {sid} [--script script] [--script-url scriptUrl]"
  },
  "deleteCall": {
    "sdk": "calls.delete({sid})",
    "cli": "calls delete {sid}"
  },
  "controlRecording": {
    "sdk": "calls.controlRecording({sid}, {action})",
    "cli": ""
  },
  "explainCall": {
    "sdk": "calls.why({sid})",
    "cli": "calls why {sid}"
  },
  "listSipMessages": {
    "sdk": "calls.sipMessages({sid})",
    "cli": "calls sip {sid}"
  },
  "captureSipMessages": {
    "sdk": "calls.sipCapture({sid})",
    "cli": "calls capture {sid}"
  },
  "getRecording": {
    "sdk": "calls.recording({sid}, {#index})",
    "cli": "calls recordings download {sid} {index}"
  },
  "listConferences": {
    "sdk": "conferences.list({query})",
    "cli": "conferences list [--status Status] [--name Name] [--limit PageSize]"
  },
  "getConference": {
    "sdk": "conferences.get({sid})",
    "cli": "conferences show {sid}"
  },
  "endConference": {
    "sdk": "conferences.end({sid})",
    "cli": "conferences end {sid}"
  },
  "changeParticipant": {
    "sdk": "conferences.change({sid}, {callSid}, {body})",
    "cli": ""
  },
  "removeParticipant": {
    "sdk": "conferences.remove({sid}, {callSid})",
    "cli": "conferences remove {sid} {callSid}"
  },
  "createWebhook": {
    "sdk": "webhooks.create({body})",
    "cli": "webhooks create {url} [--type types] [--backup-url backupUrl] [--phone phone] [--config messagingConfigSid] [--bearer authorizationBearer] [--shape payloadShape] [--off !enabled]"
  },
  "listWebhooks": {
    "sdk": "webhooks.list({query})",
    "cli": "webhooks list"
  },
  "listWebhookTypes": {
    "sdk": "webhooks.types()",
    "cli": "webhooks types"
  },
  "getWebhook": {
    "sdk": "webhooks.get({sid})",
    "cli": "webhooks show {sid}"
  },
  "changeWebhook": {
    "sdk": "webhooks.change({sid}, {body})",
    "cli": "webhooks change {sid} [--receiver url] [--backup-url backupUrl] [--bearer authorizationBearer] [--shape payloadShape]"
  },
  "deleteWebhook": {
    "sdk": "webhooks.remove({sid})",
    "cli": "webhooks delete {sid}"
  },
  "rotateWebhookSecret": {
    "sdk": "webhooks.rotateSecret({sid})",
    "cli": "webhooks rotate {sid}"
  },
  "testWebhook": {
    "sdk": "webhooks.test({sid})",
    "cli": "webhooks test {sid}"
  },
  "listDeliveries": {
    "sdk": "deliveries.list({query})",
    "cli": "webhooks deliveries [--status Status] [--type Type] [--since CreatedOnFrom] [--until CreatedOnTo] [--webhook SubscriptionSid] [--resource ResourceSid] [--limit PageSize]"
  },
  "getDelivery": {
    "sdk": "deliveries.get({sid})",
    "cli": "webhooks delivery {sid}"
  },
  "replayDelivery": {
    "sdk": "deliveries.replay({sid}, {body})",
    "cli": "webhooks replay {sid} [--to-url url]"
  },
  "replayDeliveries": {
    "sdk": "deliveries.replayMany({body})",
    "cli": ""
  },
  "listEvents": {
    "sdk": "events.list({query})",
    "cli": "events list [--type Type] [--limit PageSize] [--after After]"
  },
  "streamEvents": {
    "sdk": "events.stream()",
    "cli": "listen"
  },
  "listRequests": {
    "sdk": "requests.list({query})",
    "cli": "requests list [--request-id RequestId] [--trace-id TraceId] [--status Status] [--since CreatedOnFrom] [--until CreatedOnTo] [--limit PageSize]"
  },
  "getRequest": {
    "sdk": "requests.get({requestId})",
    "cli": "requests show {requestId}"
  },
  "searchAccount": {
    "sdk": "search.find({query})",
    "cli": "search {Query} [--since CreatedOnFrom] [--until CreatedOnTo]"
  },
  "getAttention": {
    "sdk": "oversight.attention()",
    "cli": "attention"
  },
  "getTraffic": {
    "sdk": "oversight.traffic({query})",
    "cli": "traffic [--minutes Minutes]"
  },
  "getStatistics": {
    "sdk": "statistics.get({query})",
    "cli": "statistics {Kind} [--since From] [--until To] [--step Step]"
  },
  "emulateInboundMessage": {
    "sdk": "sandbox.receiveMessage({body})",
    "cli": "sandbox receive --from {from} --to {to} [--text text]"
  },
  "emulateOutboundMessageStatus": {
    "sdk": "sandbox.settleMessage({body})",
    "cli": "sandbox settle {sid} [--delivered deliveredSuccessfully] [--failed !deliveredSuccessfully]"
  },
  "emulateInboundCall": {
    "sdk": "sandbox.receiveCall({body})",
    "cli": "sandbox call --from {from} --to {to} [--seconds durationSeconds] [--digits digits] [--audio audioUrl] [--no-answer !answer]"
  },
  "emulateCampaignMigration": {
    "sdk": "sandbox.migrateCampaign({body})",
    "cli": "sandbox migrate {tcrCampaignId} [--outcome outcome]"
  },
  "emulatePort": {
    "sdk": "sandbox.decidePort({body})",
    "cli": "sandbox port {sid} [--outcome outcome] [--reason reason]"
  }
});
