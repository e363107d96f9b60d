// The service worker: the whole site, kept in the browser, for when there is no network. The build puts the version and
// the list of files in place of the two lines below; see web/cmd/offline.
"use strict";
const VERSION = "";
const FILES = {}; // by path: the hashes it may have, as in an integrity attribute

const cacheName = version => `stormbin-${version}`;

// A version is taken in whole or not at all: a file that isn't the one meant, in the middle of a deploy say, ends it, and
// the browser tries again on a later visit.
self.addEventListener("install", event => event.waitUntil((async () => {
  const cache = await caches.open(cacheName(VERSION));
  try {
    for (const [path, integrity] of Object.entries(FILES)) {
      const response = await fetch(path, { integrity, cache: "no-cache" });
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      // A copy, since one that was redirected on its way (index.html to ./, say) may not answer for a page.
      await cache.put(path, new Response(response.body, { headers: response.headers }));
    }
  } catch (error) {
    await caches.delete(cacheName(VERSION));
    throw error;
  }
})()));

// What older versions kept goes, unless the reader has other tabs open: those are still of the older version, and may not
// have loaded all of it. Then it goes with the next. Only this site's: other pages of the host may have a cache of their own.
self.addEventListener("activate", event => event.waitUntil((async () => {
  const tabs = (await self.clients.matchAll({ type: "window" })).filter(tab => tab.frameType !== "nested");
  for (const name of tabs.length > 1 ? [] : await caches.keys()) {
    if (name.startsWith(cacheName("")) && name !== cacheName(VERSION)) await caches.delete(name);
  }
  await self.clients.claim(); // the first visit's page, too, may lose its network
})()));

self.addEventListener("fetch", event => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});

// A page is given its own version's files for as long as it lives, whatever the server has by now: scripts, styles and
// programs have other names in every version. Some hosts leave .html out of the address.
async function answer(request) {
  const url = new URL(request.url);
  const folder = new URL("./", location.href);
  if (url.origin !== folder.origin || !url.pathname.startsWith(folder.pathname)) return fetch(request);
  const path = url.pathname.slice(folder.pathname.length) || "index.html";
  const cache = await caches.open(cacheName(VERSION));
  return await cache.match(path) ?? await cache.match(`${path}.html`) ?? await caches.match(path) ?? fetch(request);
}

// The reader has asked for the new version.
self.addEventListener("message", event => {
  if (event.data === "take over") self.skipWaiting();
});
