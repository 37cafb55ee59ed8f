// In the head of a report that contains the studio: its link opens the report again with "?simulator"
// behind the address, and then the studio takes the report's place, at an address that can be reloaded.

addEventListener('DOMContentLoaded', () => {
  document.getElementById('open-simulator').hidden = false;
  if (location.search !== '?simulator') return;
  const page = JSON.parse(document.getElementById('simulator').textContent);
  document.open();
  document.write(page);
  document.close();
});
