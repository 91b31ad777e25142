/**
 * Returns what keeps a release from being published, a text for each fault. The address of the repository is stated once, in the
 * manifest of the root; those of the packages are written from it.
 */
export function releaseFaults(root, manifests, changelog) {
  return [...rootFaults(root, changelog), ...manifests.flatMap((manifest) => packageFaults(root, manifest))];
}

/** Returns the fields of a package that name the repository. */
export function repositoryFields({ repository, homepage }, folder) {
  const page = pageOf(repository.url);
  return {
    repository: { ...repository, directory: folder },
    homepage: homepage ?? `${page}#readme`,
    bugs: { url: `${page}/issues` },
  };
}

function rootFaults({ repository, version }, changelog) {
  const faults = [];
  if (repository?.url === undefined) {
    faults.push(
      'package.json: repository is not set. Set { "type": "git", "url": "git+https://…" }, then run: npm run release:metadata',
    );
  } else if (!/^git\+https:\/\/[^/]+\/.+\.git$/.test(repository.url)) {
    faults.push('package.json: repository.url must have the form git+https://host/owner/name.git');
  }
  const heading = changelog.split('\n').find((line) => line.startsWith(`## ${version}`));
  if (heading === undefined) faults.push(`CHANGELOG.md: has no section for ${version}`);
  else if (heading.includes('unreleased')) faults.push(`CHANGELOG.md: the section of ${version} has no date`);
  return faults;
}

function packageFaults(root, { folder, ...manifest }) {
  const faults = [];
  if (manifest.version !== root.version) faults.push(`version is ${manifest.version}, not ${root.version}`);
  for (const field of ['description', 'license', 'author', 'keywords', 'engines', 'files'])
    if (manifest[field] === undefined) faults.push(`${field} is missing`);
  const { access, provenance } = manifest.publishConfig ?? {};
  if (access !== 'public' || provenance !== true)
    faults.push('publishConfig must be { "access": "public", "provenance": true }');
  if (root.repository?.url !== undefined) {
    for (const [field, value] of Object.entries(repositoryFields(root, folder)))
      if (JSON.stringify(manifest[field]) !== JSON.stringify(value))
        faults.push(`${field} differs from that of the root. Run: npm run release:metadata`);
  }
  return faults.map((fault) => `${folder}/package.json: ${fault}`);
}

const pageOf = (url) => url.replace(/^git\+/, '').replace(/\.git$/, '');
