// Constants that the build inserts into the portal.

/** The version of Tandem that the page was built with. */
declare const __VERSION__: string;
