// The Grapheme_Cluster_Break property of Unicode 10.0.0 (Unicode Character Database, auxiliary/GraphemeBreakProperty;
// data © Unicode, Inc., used under https://www.unicode.org/license.txt), as hexadecimal ranges. Hangul syllables (LV,
// LVT) are computed, and what is not listed is Other.
//
// The version is fixed on purpose: a text's number of segments, and so its price, must not change with the ICU that a
// Node release happens to carry. It is also the version that Twilio's segment calculator counts by.

export const GRAPHEME_BREAK = {
  control:
    "0-1f 7f-9f ad 61c 180e 200b 200e-200f 2028-202e 2060-206f d800-dfff feff fff0-fffb 1bca0-1bca3 1d173-1d17a " +
    "e0000-e001f e0080-e00ff e01f0-e0fff",
  extend:
    "300-36f 483-489 591-5bd 5bf 5c1-5c2 5c4-5c5 5c7 610-61a 64b-65f 670 6d6-6dc 6df-6e4 6e7-6e8 6ea-6ed 711 730-74a " +
    "7a6-7b0 7eb-7f3 816-819 81b-823 825-827 829-82d 859-85b 8d4-8e1 8e3-902 93a 93c 941-948 94d 951-957 962-963 981 " +
    "9bc 9be 9c1-9c4 9cd 9d7 9e2-9e3 a01-a02 a3c a41-a42 a47-a48 a4b-a4d a51 a70-a71 a75 a81-a82 abc ac1-ac5 ac7-ac8 " +
    "acd ae2-ae3 afa-aff b01 b3c b3e-b3f b41-b44 b4d b56-b57 b62-b63 b82 bbe bc0 bcd bd7 c00 c3e-c40 c46-c48 c4a-c4d " +
    "c55-c56 c62-c63 c81 cbc cbf cc2 cc6 ccc-ccd cd5-cd6 ce2-ce3 d00-d01 d3b-d3c d3e d41-d44 d4d d57 d62-d63 dca dcf " +
    "dd2-dd4 dd6 ddf e31 e34-e3a e47-e4e eb1 eb4-eb9 ebb-ebc ec8-ecd f18-f19 f35 f37 f39 f71-f7e f80-f84 f86-f87 " +
    "f8d-f97 f99-fbc fc6 102d-1030 1032-1037 1039-103a 103d-103e 1058-1059 105e-1060 1071-1074 1082 1085-1086 108d " +
    "109d 135d-135f 1712-1714 1732-1734 1752-1753 1772-1773 17b4-17b5 17b7-17bd 17c6 17c9-17d3 17dd 180b-180d " +
    "1885-1886 18a9 1920-1922 1927-1928 1932 1939-193b 1a17-1a18 1a1b 1a56 1a58-1a5e 1a60 1a62 1a65-1a6c 1a73-1a7c " +
    "1a7f 1ab0-1abe 1b00-1b03 1b34 1b36-1b3a 1b3c 1b42 1b6b-1b73 1b80-1b81 1ba2-1ba5 1ba8-1ba9 1bab-1bad 1be6 " +
    "1be8-1be9 1bed 1bef-1bf1 1c2c-1c33 1c36-1c37 1cd0-1cd2 1cd4-1ce0 1ce2-1ce8 1ced 1cf4 1cf8-1cf9 1dc0-1df9 " +
    "1dfb-1dff 200c 20d0-20f0 2cef-2cf1 2d7f 2de0-2dff 302a-302f 3099-309a a66f-a672 a674-a67d a69e-a69f a6f0-a6f1 " +
    "a802 a806 a80b a825-a826 a8c4-a8c5 a8e0-a8f1 a926-a92d a947-a951 a980-a982 a9b3 a9b6-a9b9 a9bc a9e5 aa29-aa2e " +
    "aa31-aa32 aa35-aa36 aa43 aa4c aa7c aab0 aab2-aab4 aab7-aab8 aabe-aabf aac1 aaec-aaed aaf6 abe5 abe8 abed fb1e " +
    "fe00-fe0f fe20-fe2f ff9e-ff9f 101fd 102e0 10376-1037a 10a01-10a03 10a05-10a06 10a0c-10a0f 10a38-10a3a 10a3f " +
    "10ae5-10ae6 11001 11038-11046 1107f-11081 110b3-110b6 110b9-110ba 11100-11102 11127-1112b 1112d-11134 11173 " +
    "11180-11181 111b6-111be 111ca-111cc 1122f-11231 11234 11236-11237 1123e 112df 112e3-112ea 11300-11301 1133c " +
    "1133e 11340 11357 11366-1136c 11370-11374 11438-1143f 11442-11444 11446 114b0 114b3-114b8 114ba 114bd " +
    "114bf-114c0 114c2-114c3 115af 115b2-115b5 115bc-115bd 115bf-115c0 115dc-115dd 11633-1163a 1163d 1163f-11640 " +
    "116ab 116ad 116b0-116b5 116b7 1171d-1171f 11722-11725 11727-1172b 11a01-11a06 11a09-11a0a 11a33-11a38 " +
    "11a3b-11a3e 11a47 11a51-11a56 11a59-11a5b 11a8a-11a96 11a98-11a99 11c30-11c36 11c38-11c3d 11c3f 11c92-11ca7 " +
    "11caa-11cb0 11cb2-11cb3 11cb5-11cb6 11d31-11d36 11d3a 11d3c-11d3d 11d3f-11d45 11d47 16af0-16af4 16b30-16b36 " +
    "16f8f-16f92 1bc9d-1bc9e 1d165 1d167-1d169 1d16e-1d172 1d17b-1d182 1d185-1d18b 1d1aa-1d1ad 1d242-1d244 " +
    "1da00-1da36 1da3b-1da6c 1da75 1da84 1da9b-1da9f 1daa1-1daaf 1e000-1e006 1e008-1e018 1e01b-1e021 1e023-1e024 " +
    "1e026-1e02a 1e8d0-1e8d6 1e944-1e94a e0020-e007f e0100-e01ef",
  spacingMark:
    "903 93b 93e-940 949-94c 94e-94f 982-983 9bf-9c0 9c7-9c8 9cb-9cc a03 a3e-a40 a83 abe-ac0 ac9 acb-acc b02-b03 b40 " +
    "b47-b48 b4b-b4c bbf bc1-bc2 bc6-bc8 bca-bcc c01-c03 c41-c44 c82-c83 cbe cc0-cc1 cc3-cc4 cc7-cc8 cca-ccb d02-d03 " +
    "d3f-d40 d46-d48 d4a-d4c d82-d83 dd0-dd1 dd8-dde df2-df3 e33 eb3 f3e-f3f f7f 1031 103b-103c 1056-1057 1084 17b6 " +
    "17be-17c5 17c7-17c8 1923-1926 1929-192b 1930-1931 1933-1938 1a19-1a1a 1a55 1a57 1a6d-1a72 1b04 1b35 1b3b " +
    "1b3d-1b41 1b43-1b44 1b82 1ba1 1ba6-1ba7 1baa 1be7 1bea-1bec 1bee 1bf2-1bf3 1c24-1c2b 1c34-1c35 1ce1 1cf2-1cf3 " +
    "1cf7 a823-a824 a827 a880-a881 a8b4-a8c3 a952-a953 a983 a9b4-a9b5 a9ba-a9bb a9bd-a9c0 aa2f-aa30 aa33-aa34 aa4d " +
    "aaeb aaee-aaef aaf5 abe3-abe4 abe6-abe7 abe9-abea abec 11000 11002 11082 110b0-110b2 110b7-110b8 1112c 11182 " +
    "111b3-111b5 111bf-111c0 1122c-1122e 11232-11233 11235 112e0-112e2 11302-11303 1133f 11341-11344 11347-11348 " +
    "1134b-1134d 11362-11363 11435-11437 11440-11441 11445 114b1-114b2 114b9 114bb-114bc 114be 114c1 115b0-115b1 " +
    "115b8-115bb 115be 11630-11632 1163b-1163c 1163e 116ac 116ae-116af 116b6 11720-11721 11726 11a07-11a08 11a39 " +
    "11a57-11a58 11a97 11c2f 11c3e 11ca9 11cb1 11cb4 16f51-16f7e 1d166 1d16d",
  prepend: "600-605 6dd 70f 8e2 d4e 110bd 111c2-111c3 11a3a 11a86-11a89 11d46",
  hangulL: "1100-115f a960-a97c",
  hangulV: "1160-11a7 d7b0-d7c6",
  hangulT: "11a8-11ff d7cb-d7fb",
  emojiBase:
    "261d 26f9 270a-270d 1f385 1f3c2-1f3c4 1f3c7 1f3ca-1f3cc 1f442-1f443 1f446-1f450 1f46e 1f470-1f478 1f47c " +
    "1f481-1f483 1f485-1f487 1f4aa 1f574-1f575 1f57a 1f590 1f595-1f596 1f645-1f647 1f64b-1f64f 1f6a3 1f6b4-1f6b6 " +
    "1f6c0 1f6cc 1f918-1f91c 1f91e-1f91f 1f926 1f930-1f939 1f93d-1f93e 1f9d1-1f9dd",
  emojiBaseGlue: "1f466-1f469",
  emojiModifier: "1f3fb-1f3ff",
  glueAfterJoiner:
    "2640 2642 2695-2696 2708 2764 1f308 1f33e 1f373 1f393 1f3a4 1f3a8 1f3eb 1f3ed 1f48b 1f4bb-1f4bc 1f527 1f52c " +
    "1f5e8 1f680 1f692",
  regionalIndicator: "1f1e6-1f1ff",
  joiner: "200d",
} as const;
