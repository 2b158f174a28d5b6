package echo

import (
	"context"
	"errors"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection"
	pb "sigs.k8s.io/gateway-api/conformance/echo-basic/grpcechoserver"
)

// startGRPC opens the gRPC server, without TLS.
func (p Pod) startGRPC(servers *Servers) error {
	listener, err := p.listen("HTTP_PORT", 3000)
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	pb.RegisterGrpcEchoServer(server, &grpcServer{pod: p})
	reflection.Register(server)
	servers.closers = append(servers.closers, closeFunc(server.Stop))
	// The error is that it was stopped.
	go func() { _ = server.Serve(listener) }()
	return nil
}

type closeFunc func()

func (f closeFunc) Close() error {
	f()
	return nil
}

type grpcServer struct {
	pb.UnimplementedGrpcEchoServer
	pod Pod
}

func (g *grpcServer) Echo(ctx context.Context, _ *pb.EchoRequest) (*pb.EchoResponse, error) {
	return g.echo(ctx, pb.GrpcEcho_Echo_FullMethodName)
}

func (g *grpcServer) EchoTwo(ctx context.Context, _ *pb.EchoRequest) (*pb.EchoResponse, error) {
	return g.echo(ctx, pb.GrpcEcho_EchoTwo_FullMethodName)
}

func (g *grpcServer) echo(ctx context.Context, method string) (*pb.EchoResponse, error) {
	arrived, ok := metadata.FromIncomingContext(ctx)
	if !ok {
		return nil, errors.New("the request has no metadata")
	}
	assertions := &pb.Assertions{
		FullyQualifiedMethod: method,
		Context:              &pb.Context{Namespace: g.pod.Namespace, ServiceName: g.pod.Environment["SERVICE_NAME"], Pod: g.pod.Name},
	}
	for key, values := range arrived {
		for _, value := range values {
			if key == ":authority" {
				assertions.Authority = value
			}
			assertions.Headers = append(assertions.Headers, &pb.Header{Key: key, Value: value})
		}
	}
	return &pb.EchoResponse{Assertions: assertions}, nil
}
