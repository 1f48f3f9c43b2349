//! Everything that the agent makes of a workspace when a session starts.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::base_prompt::BasePrompt;
use super::extensions::{ExtensionScan, Extensions};
use super::imports::{ImportFormat, Importer};
use super::javascript::join;
use super::layers::{Builder, ReadFile, join_blocks};
use super::locations::{Finder, INDEX_NAME, workspace_dirs};
use super::migration::Migrated;
use super::names::{effective_names, unresolvable};
use super::project_id::{ProjectId, look_up};
use super::settings::{Settings, SettingsFiles};
use super::start::Start;
use super::trust::TrustRules;
use super::unloaded::{self, Expected};
use super::watched::Watched;
use super::{diagnose, included, installed, model_family};
use crate::agents::ScanOptions;
use crate::fs::{Environment, FileSystem, resolve};
use crate::model::{
    AgentInfo, AgentSnapshot, Fidelity, GitState, Layer, LayerState, NotLoaded, Reason, Tier,
    TracedText,
};

/// See [`Agent::discover`](crate::agents::Agent::discover).
pub(super) fn discover(
    info: AgentInfo,
    disk: &dyn FileSystem,
    environment: &Environment,
    workspace: &Path,
    options: &ScanOptions,
) -> AgentSnapshot {
    let first_home = home(environment, workspace);
    let settings_dir = first_home.join(".gemini");
    let files = SettingsFiles::read(disk, environment, &settings_dir, &first_home, workspace);
    let rules =
        TrustRules::read(disk, environment, &runtime_dir(environment, &first_home), workspace);
    let Start { settings, workspace_joins, trust, environment, env_file } =
        Start::new(&files, &rules, disk, environment, workspace, options.trust);

    // From here on the variables of an `.env` file count, and they may name another home folder.
    let environment = &environment;
    let home = home(environment, workspace);
    let gemini_dir = home.join(".gemini");
    let runtime_dir = runtime_dir(environment, &home);
    let name_setting = settings.get(&["context", "fileName"]);
    let (names, names_problem) = effective_names(name_setting);
    let names_problem =
        names_problem.or_else(|| unresolvable(disk, workspace, name_setting, &names));
    let (markers, markers_flaw) = settings.boundary_markers();
    let base_prompt = BasePrompt::read(disk, environment, &home, workspace);

    let project = look_up(disk, &runtime_dir, workspace);
    let migrated = Migrated::new(disk, &runtime_dir, workspace, &project.id);
    let fs: &dyn FileSystem = &migrated;
    let memory_dir = runtime_dir.join("tmp").join(&project.id).join("memory");

    let extensions = ExtensionScan {
        fs,
        environment,
        gemini_dir: &gemini_dir,
        workspace,
        settings: &settings,
        trusted: trust.trusted,
        only: options.extensions.as_deref(),
    }
    .read();
    let wanted = included::directories(fs, environment, &home, workspace, &settings, &extensions);
    let (dirs, unusable_dirs) = workspace_dirs(fs, workspace, &wanted);

    let finder = Finder {
        fs,
        platform: environment.platform,
        names: &names,
        markers: &markers,
        gemini_dir: &gemini_dir,
    };
    let project_paths = finder.project(&dirs);
    let found = Found {
        global: finder.global(),
        extension: finder.extension(&extensions.loaded),
        project: if trust.trusted { project_paths.clone() } else { Vec::new() },
        private: finder.private(&memory_dir),
    };

    let mcp_servers = mcp_servers(&settings, &extensions);
    // Text of MCP servers would stand in the project tier, and only in a trusted folder.
    let is_open = trust.trusted && !mcp_servers.is_empty();
    let needs_secret = extensions.active().any(|extension| extension.needs_secret.is_some());
    let format = if settings.is_flat() { ImportFormat::Flat } else { ImportFormat::Tree };
    let builder = Builder {
        migrated: &migrated,
        importer: Importer { fs, platform: environment.platform, markers: &markers, format },
        fidelity: info.fidelity,
    };
    let reads = builder.read_all(&finder.once_by_identity(found.in_load_order()));
    let loaded: Vec<PathBuf> = finder
        .once_by_identity(found.in_load_order())
        .into_iter()
        .filter(|path| reads.get(path).is_some_and(|file| file.result.is_ok()))
        .collect();
    let (mut layers, tiers) = build_tiers(&builder, &found, &reads, &extensions, is_open);

    let expected = Expected {
        disk,
        finder,
        builder: &builder,
        workspace_dirs: &dirs,
        memory_dir: &memory_dir,
        extensions: &extensions,
        trusted: trust.trusted,
        project_paths: &project_paths,
        reads: &reads,
        discovered: found.in_load_order(),
        layers: &layers,
    };
    let mut unloaded = unloaded::collect(&expected);
    layers.append(&mut unloaded.notes);
    mark_git_states(disk, &mut layers, &mut unloaded.not_loaded);

    let model = options
        .model
        .clone()
        .or_else(|| environment.non_empty_variable("GEMINI_MODEL").map(str::to_owned))
        .or_else(|| settings.model().map(str::to_owned))
        .unwrap_or_else(|| model_family::DEFAULT_MODEL.to_owned());
    let installed_version = installed::package(disk, environment).map(|package| package.version);
    let diagnostics = diagnose::collect(&diagnose::Circumstances {
        info: &info,
        environment,
        files: &files,
        rules: &rules,
        trust: &trust,
        workspace_joins,
        folder_trust: settings.folder_trust_enabled(),
        mode: options.trust,
        unusable: [names_problem]
            .into_iter()
            .chain(
                [markers_flaw, settings.include_directories().1]
                    .map(|flaw| flaw.map(|flaw| flaw.diagnostic())),
            )
            .flatten()
            .collect(),
        env_file: env_file.as_ref(),
        base_prompt: &base_prompt,
        names: &names,
        project: &project,
        migrated: &migrated,
        unusable_dirs: &unusable_dirs,
        extensions: &extensions,
        mcp_servers: &mcp_servers,
        reads: &reads,
        layers: &layers,
        model: &model,
        installed_version: installed_version.as_deref(),
        unreadable_folders: &unloaded.unreadable_folders,
        workspace,
    });
    let names_from = match &settings.file_name_from {
        Some(path) => format!("context.fileName in {}", path.display()),
        None => "the default".to_owned(),
    };
    let watch_dirs = Watched {
        fs: disk,
        settings: &files,
        finder: &finder,
        workspace_dirs: &dirs,
        fixed: &[&settings_dir, &gemini_dir, &runtime_dir, &memory_dir, &extensions.folder],
        layers: &layers,
        not_loaded: &unloaded.not_loaded,
    }
    .folders();
    let ceiling = finder.ceiling(&dirs[0]);
    let index_file = memory_dir.join(INDEX_NAME);
    let global_file = join(&gemini_dir, &names[0]);
    let ProjectId { id: project_id, assigned: project_id_assigned, .. } = project;
    AgentSnapshot {
        info,
        installed_version,
        fidelity: if is_open || needs_secret { Fidelity::Documented } else { info.fidelity },
        workspace: workspace.to_path_buf(),
        own_dir: gemini_dir,
        own_base_prompt: base_prompt.is_own,
        base_prompt_ranks: base_prompt.ranks,
        precedence: super::precedence::stated(&tiers),
        model,
        names_from,
        workspace_dirs: dirs,
        ceiling,
        import_format: if settings.is_flat() { "flat" } else { "tree" },
        trust,
        project_id,
        project_id_assigned,
        index_file,
        global_file,
        discovered: found.by_tier(),
        loaded,
        layers,
        tiers,
        not_loaded: unloaded.not_loaded,
        diagnostics,
        mcp_servers,
        watch_dirs,
        memory_dir: memory_dir.clone(),
        boundary_markers: markers.clone(),
        names: names.clone(),
    }
}

/// Found files by tier, before identical files are dropped.
struct Found {
    global: Vec<PathBuf>,
    extension: Vec<PathBuf>,
    project: Vec<PathBuf>,
    private: Vec<PathBuf>,
}

impl Found {
    /// The order in which the agent drops identical files and lists loaded ones.
    fn in_load_order(&self) -> Vec<PathBuf> {
        [&self.global, &self.extension, &self.project, &self.private]
            .into_iter()
            .flatten()
            .cloned()
            .collect()
    }

    fn by_tier(&self) -> Vec<(Tier, Vec<PathBuf>)> {
        vec![
            (Tier::Global, self.global.clone()),
            (Tier::Private, self.private.clone()),
            (Tier::Extension, self.extension.clone()),
            (Tier::Project, self.project.clone()),
        ]
    }
}

/// The home folder as the environment has it.
pub(super) fn home_as_written(environment: &Environment) -> PathBuf {
    environment
        .non_empty_variable("GEMINI_CLI_HOME")
        .map(PathBuf::from)
        .or_else(|| environment.home.clone())
        .unwrap_or_default()
}

/// The home folder as the agent takes it.
pub(super) fn home(environment: &Environment, workspace: &Path) -> PathBuf {
    resolve(workspace, &home_as_written(environment))
}

/// Where project folders lie: elsewhere in the macOS sandbox, which may not write to `~/.gemini`.
fn runtime_dir(environment: &Environment, home: &Path) -> PathBuf {
    if environment.variable("SANDBOX") == Some("sandbox-exec") {
        return home.join(".cache/.gemini");
    }
    home.join(".gemini")
}

fn mcp_servers(settings: &Settings, extensions: &Extensions) -> Vec<String> {
    let mut names: BTreeSet<String> = settings.mcp_servers().into_iter().collect();
    for extension in extensions.active() {
        names.extend(extension.mcp_servers.iter().cloned());
    }
    names.into_iter().collect()
}

/// Layers in sending order, and the text of each tier.
fn build_tiers(
    builder: &Builder<'_>,
    found: &Found,
    reads: &HashMap<PathBuf, ReadFile>,
    extensions: &Extensions,
    is_open: bool,
) -> (Vec<Layer>, Vec<(Tier, TracedText)>) {
    let mut layers = Vec::new();
    let mut tiers = Vec::new();
    for (tier, paths) in found.by_tier() {
        let mut of_tier: Vec<Layer> =
            paths.iter().filter_map(|path| builder.layer(tier, reads.get(path)?)).collect();
        for layer in &mut of_tier {
            layer.extension = extensions
                .loaded
                .iter()
                .filter(|_| tier == Tier::Extension)
                .find(|extension| extension.context_files.contains(&layer.source.path))
                .map(|extension| extension.name.clone());
            if tier == Tier::Project && is_open {
                layer.fidelity = Fidelity::Documented;
            }
        }
        tiers.push((tier, join_blocks(&of_tier)));
        layers.extend(of_tier);
    }
    let mut order = 0;
    for layer in layers.iter_mut().filter(|layer| layer.state == LayerState::Loaded) {
        order += 1;
        layer.order = Some(order);
    }
    (layers, tiers)
}

/// What git knows of each layer, and which waiting files it ignores. One question to git.
fn mark_git_states(fs: &dyn FileSystem, layers: &mut [Layer], not_loaded: &mut [NotLoaded]) {
    let waiting = |file: &NotLoaded| file.reason == Reason::AwaitsAccess;
    let paths: Vec<PathBuf> = layers
        .iter()
        .map(|layer| layer.source.path.clone())
        .chain(not_loaded.iter().filter(|file| waiting(file)).map(|file| file.path.clone()))
        .collect();
    let states = fs.git_states(&paths);
    for layer in layers {
        layer.git = states.get(&layer.source.path).copied();
    }
    for file in not_loaded.iter_mut().filter(|file| waiting(file)) {
        if states.get(&file.path) == Some(&GitState::Ignored) {
            file.reason = Reason::IgnoredAwaitsAccess;
            file.detail.push_str(" Git ignores it; Gemini CLI does not look at ignore files.");
        }
    }
}
