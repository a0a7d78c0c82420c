{{- define "anteroom.labels" -}}
app.kubernetes.io/name: anteroom
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{- define "anteroom.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - secretRef: { name: {{ .Values.existingSecret }} }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  - { name: data, mountPath: /var/lib/anteroom }
{{- end }}

{{- define "anteroom.environment" -}}
{{- $_ := required "set settings.S3_BUCKET: the folder of a pod is lost with it, and its images with the folder" .Values.settings.S3_BUCKET }}
- { name: PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
- { name: METRICS_PORT, value: '9464' }
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "anteroom.pod" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
volumes:
  - { name: tmp, emptyDir: {} }
  - { name: data, emptyDir: {} }
{{- end }}
