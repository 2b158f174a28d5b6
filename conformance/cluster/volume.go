package cluster

import (
	"context"
	"fmt"
	"path"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// volumes are the mounts of one container.
type volumes struct {
	cluster   *Cluster
	namespace string
	volumes   map[string]corev1.VolumeSource
	mounts    []corev1.VolumeMount
}

func (c *Cluster) volumes(namespace string, all []corev1.Volume, mounts []corev1.VolumeMount) volumes {
	v := volumes{cluster: c, namespace: namespace, volumes: map[string]corev1.VolumeSource{}, mounts: mounts}
	for _, volume := range all {
		v.volumes[volume.Name] = volume.VolumeSource
	}
	return v
}

// readFile reads a file of a mounted Secret or ConfigMap as it is now.
func (v volumes) readFile(name string) ([]byte, error) {
	for _, mount := range v.mounts {
		if path.Dir(name) != path.Clean(mount.MountPath) {
			continue
		}
		source := v.volumes[mount.Name]
		switch {
		case source.Secret != nil:
			return v.readSecret(source.Secret, path.Base(name))
		case source.ConfigMap != nil:
			return v.readConfigMap(source.ConfigMap, path.Base(name))
		}
	}
	return nil, fmt.Errorf("nothing is mounted at %s", name)
}

func (v volumes) readSecret(source *corev1.SecretVolumeSource, file string) ([]byte, error) {
	var secret corev1.Secret
	if err := v.cluster.client.Get(context.Background(), types.NamespacedName{Namespace: v.namespace, Name: source.SecretName}, &secret); err != nil {
		return nil, err
	}
	data, ok := secret.Data[keyOf(source.Items, file)]
	if !ok {
		return nil, fmt.Errorf("Secret %s/%s has nothing for %s", v.namespace, source.SecretName, file)
	}
	return data, nil
}

func (v volumes) readConfigMap(source *corev1.ConfigMapVolumeSource, file string) ([]byte, error) {
	var configMap corev1.ConfigMap
	if err := v.cluster.client.Get(context.Background(), types.NamespacedName{Namespace: v.namespace, Name: source.Name}, &configMap); err != nil {
		return nil, err
	}
	data, ok := configMap.Data[keyOf(source.Items, file)]
	if !ok {
		return nil, fmt.Errorf("ConfigMap %s/%s has nothing for %s", v.namespace, source.Name, file)
	}
	return []byte(data), nil
}

// keyOf is the key behind a file: its own name, where no item renames it.
func keyOf(items []corev1.KeyToPath, file string) string {
	for _, item := range items {
		if item.Path == file {
			return item.Key
		}
	}
	return file
}
